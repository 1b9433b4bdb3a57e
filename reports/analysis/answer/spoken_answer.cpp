#include "reports/analysis/answer/spoken_answer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "reports/analysis/answer/answer.hpp"
#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/answer/law_words.hpp"
#include "reports/analysis/answer/setting_words.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/verdicts/row_words.hpp"
#include "reports/analysis/words/wording.hpp"
#include "reports/estimates/estimate.hpp"
#include "reports/estimates/student_t.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr int kSpokenDigits = 2, kMostBoundDigits = 6;

// What is answered, and where it was measured best.
struct Subject {
  const Span& span;
  const OverheadRow& row;
  const OverheadRow* at_longest;  // the same arm where the step is longest; null: not measured
  const OverheadRow* on_cpu;      // host CPU of the same cell; null: not measured
  const OverheadRow* on_wall;     // the wall clock of the same cell; null: not measured
  bool has_other_cells;
};

std::string percent_words(double us, double step_s) {
  const double percent = std::fabs(100e-6 * us / step_s);
  return percent < kNegligiblePercent ? "less than 0.001 %" : number_text(percent, kSpokenDigits) + " %";
}

// "39 us per step over raw DDP", "39 us of wall time per step over raw DDP"
std::string of_what(const Subject& subject, const std::string& cost) {
  const auto of_clock = subject.row.clock == clock_name::kAwaited ? "" : " of " + clock_words(subject.row.clock);
  return cost + of_clock + " per step over " + reference_words(*subject.span.shortest.cell, subject.row.reference);
}

// With so many digits that the bounds differ, where they do.
std::string between_words(const Estimate& us) {
  auto lo = short_duration_text(us.lo, kSpokenDigits), hi = short_duration_text(us.hi, kSpokenDigits);
  for (int digits = kSpokenDigits + 1; lo == hi && digits <= kMostBoundDigits; ++digits) {
    const auto finer_lo = short_duration_text(us.lo, digits), finer_hi = short_duration_text(us.hi, digits);
    if (finer_lo != finer_hi) std::tie(lo, hi) = std::pair(finer_lo, finer_hi);
  }
  return "between " + (lo.substr(lo.find(' ')) == hi.substr(hi.find(' ')) ? lo.substr(0, lo.find(' ')) : lo) + " and " + hi;
}

// Of what a cost is made, where it is surely not CPU time alone: "; 0.5 ms computing, 0.7 ms waiting".
std::string parts_words(const Subject& subject) {
  const auto& row = subject.row;
  constexpr double kTellableUs = 0.05;  // less is printed as nothing
  const bool differ = row.waiting_us_lo > kTellableUs || row.waiting_us_hi < -kTellableUs;
  if (!differ || rests_on_mean(row) || subject.on_cpu == nullptr || std::isnan(subject.on_cpu->overhead_us)) return "";
  const auto part = [](double us, const char* doing) {
    return short_duration_text(std::fabs(us)) + (us < 0 ? " less " : " ") + doing;
  };
  return "; " + part(subject.on_cpu->overhead_us, "computing") + ", " + part(row.waiting_us, "waiting");
}

std::string resolved_words(const Subject& subject, const Estimate& whole) {
  const auto& row = subject.row;
  if (row.verdict == verdict::kEquivalent) {
    return row.arm + " costs nothing that matters: " + of_what(subject, between_words(whole));
  }
  const bool costs = row.verdict == verdict::kSlower;
  const bool shows = costs ? whole.lo > 0 : whole.hi < 0;
  const auto on_average = rests_on_mean(row) ? std::string(" on average: some steps cost more than the median one, which ") +
                                                   (whole_us(row).value < 0 ? "saves " : "costs ") +
                                                   short_duration_text(std::fabs(whole_us(row).value))
                                             : "";
  if (!shows)
    return row.arm + " costs something over " + reference_words(*subject.span.shortest.cell, row.reference) + ": " + row.reason;
  const Estimate size = costs ? whole : Estimate{-whole.value, -whole.hi, -whole.lo, 0};
  return row.arm + (costs ? " costs " : " saves ") + of_what(subject, short_duration_text(size.value)) + ", " +
         between_words(size) + on_average + parts_words(subject);
}

// Whether the A/A pair is off by as much as the arm's interval lies above 0: the table shows an interval above 0 then, and "perhaps
// nothing" would contradict it.
bool is_hidden_by_aa(const OverheadRow& row) {
  const bool is_off = row.aa_lo > 0 || row.aa_hi < 0;
  return is_off && row.overhead_us_lo > 0 && std::fmax(std::fabs(row.aa_lo), std::fabs(row.aa_hi)) >= row.overhead_us_lo;
}

std::string open_words(const Subject& subject) {
  const auto& row = subject.row;
  if (!(row.at_most_us > 0))
    return row.arm + " saves at most " + of_what(subject, short_duration_text(-row.at_least_us)) + ", if anything";
  const auto most = of_what(subject, short_duration_text(row.at_most_us));
  if (row.at_least_us > 0) {
    const Estimate bounds{row.overhead_us, row.at_least_us, row.at_most_us, 0};
    return row.arm + " probably costs something, " + of_what(subject, between_words(bounds));
  }
  const auto* why = is_hidden_by_aa(row) ? ": the same code twice differs by as much" : "";
  return row.arm + " costs at most " + most + ", and perhaps nothing" + why;
}

std::string cost_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (row.verdict == verdict::kUnmeasurable || std::isnan(row.overhead_us)) {
    return "What " + row.arm + " costs cannot be said: " + row.reason + ".";
  }
  return (is_resolved(row) ? resolved_words(subject, told_us(row)) : open_words(subject)) + ".";
}

bool grows(const StepTimeLaw& law) {
  const double lo = law.line->slope - law.line->slope_half_width(), hi = law.line->slope + law.line->slope_half_width();
  return lo > 0 || hi < 0;
}

// What was assumed where the cost is carried over to a longer step.
std::string growth_words(const Span& span) {
  if (span.law == nullptr) return ", if the cost does not grow";
  return grows(*span.law) ? ", by the line through its costs at " + std::to_string(span.law->points.size()) + " step lengths"
                          : ", and it was not seen to grow with the step";
}

// What the longest step itself says where the cost is carried over to it.
std::string measured_there_words(const Subject& subject) {
  const auto* there = subject.at_longest;
  if (subject.span.law != nullptr || there == nullptr || is_resolved(*there) || !(there->at_most_us > 0)) return "";
  return "; measured there, it is at most " + percent_words(there->at_most_us, subject.span.longest.step_s);
}

// Of an open row the bound that its sentence tells; of one that is equal the larger of both.
double bound_us(const OverheadRow& row) {
  if (row.verdict == verdict::kEquivalent) return std::max(std::fabs(row.at_least_us), std::fabs(row.at_most_us));
  return row.at_most_us > 0 ? row.at_most_us : -row.at_least_us;
}

// "at most 3.0 %"
std::string share_of(const OverheadRow& row, double step_s) {
  const bool is_bound = !is_resolved(row) || row.verdict == verdict::kEquivalent;
  return (is_bound ? "at most " : "") + percent_words(is_bound ? bound_us(row) : told_us(row).value, step_s);
}

// Of the longest step: what was measured there, where that has a verdict; else the cost of the shortest one, carried over.
std::string share_sentence(const Subject& subject) {
  const auto& span = subject.span;
  const auto& row = subject.row;
  const double step_s = span.longest.step_s;
  if (span.shortest.cell == span.longest.cell)
    return "That is " + share_of(row, step_s) + " of its step of " + short_duration_text(1e6 * step_s) + ".";
  const auto by = span.longest.reference == row.reference ? "" : " by " + span.longest.reference;
  const auto of_step = "Of the step of " + span.longest.cell->label + " (" + short_duration_text(1e6 * step_s) + by + ") ";
  if (subject.at_longest != nullptr && is_resolved(*subject.at_longest))
    return of_step + (subject.at_longest->verdict == verdict::kFaster ? "it saves " : "it costs ") +
           share_of(*subject.at_longest, step_s) + ", measured there.";
  const bool by_line = span.law != nullptr && grows(*span.law);
  const auto share = by_line ? percent_words(span.law->line->at(1e6 * step_s), step_s) : share_of(row, step_s);
  return of_step + "that is " + share + growth_words(span) + measured_there_words(subject) + ".";
}

// Where the wall clock of this machine surely says another figure; "" where it does not.
std::string wall_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (row.clock != clock_name::kAwaited || subject.on_wall == nullptr || subject.on_wall->verdict == verdict::kUnmeasurable)
    return "";
  const auto awaited = told_us(row), wall = told_us(*subject.on_wall);
  if (!(wall.lo > awaited.hi + row.margin_us) && !(wall.hi < awaited.lo - row.margin_us)) return "";
  const bool saves = wall.hi < 0;
  const Estimate size = saves ? Estimate{-wall.value, -wall.hi, -wall.lo, 0} : wall;
  return "On the wall clock, which holds the time that threads waited for a core, it " +
         std::string(saves ? "saves " : "costs ") + short_duration_text(size.value) + ", " + between_words(size) + ".";
}

// Costs of the resolution are mostly called so, of twice as much nearly always (tests/reports/truths, "WhatTheResolutionIsIsSeen").
std::string seen_words(const OverheadRow& row) {
  return "a cost of " + short_duration_text(2 * seen_us(row)) + " would nearly always be seen, one of " +
         short_duration_text(seen_us(row)) + " mostly";
}

// What those pairs mean for the figure depends on the clock: awaited time leaves out what other programs took, the wall holds it.
std::string disturbed_words(const OverheadRow& row) {
  if (!std::isfinite(row.disturbed_percent)) return "";
  const auto text = "other programs disturbed " + number_text(row.disturbed_percent, kSpokenDigits) + " % of the pairs";
  if (!(row.disturbed_percent > 0)) return text;
  if (row.clock == clock_name::kAwaited) return text + "; the time that they took is left out";
  return row.clock == clock_name::kWall ? text + "; the time that they took is in the figures" : text;
}

std::string launches_words(std::int64_t launches) { return launches == 1 ? "one launch" : counted(launches, "launch"); }

std::string sure_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (std::isfinite(row.settle_launches)) {
    const auto time = std::isnan(row.settle_minutes) ? "" : " (" + minutes_text(row.settle_minutes) + ")";
    return "About " + counted(std::llround(row.settle_launches), "launch") + " of " +
           counted(std::llround(row.settle_pairs), "pair") + time + " would settle it" +
           (subject.has_other_cells ? " for " + subject.span.shortest.cell->label : "") +
           (row.launches == 1 ? ", if launches are alike." : ".");
  }
  if (row.launches == 1) return "This was seen in one launch; five would say whether the next one shows it too.";
  return "This was seen over " + launches_words(row.launches) + "; " + seen_words(row) + ".";
}

std::string reference_sentence(const Study& study, const std::string& reference) {
  const auto cells = cells_by_step(study, reference);
  auto text = reference + " takes " + short_duration_text(1e6 * cells.front().step_s) + " per step (" +
              place_words(*cells.front().cell) + ")";
  if (cells.size() > 1) {
    text += " to " + short_duration_text(1e6 * cells.back().step_s) + " (" + place_words(*cells.back().cell) + ")";
  }
  return text + "; no arm was compared with it.";
}

std::string data_words(const Study& study) {
  return study.data_origins.empty() ? "not recorded" : join(study.data_origins, ", ");
}

std::string row_controls(const OverheadRow& row) {
  std::vector<std::string> phrases;
  const double aa = std::fmax(std::fabs(row.aa_lo), std::fabs(row.aa_hi));
  if (std::isfinite(aa)) phrases.push_back("the same code twice agrees within " + margin_text(aa));
  if (std::isfinite(row.injected_us) && std::isfinite(row.injected_true_us)) {
    phrases.push_back("a delay of " + short_duration_text(row.injected_true_us) + " was found as " +
                      short_duration_text(row.injected_us));
  }
  return join(phrases, "; ");
}

// Where the delay is not found, a cost of its size is not found either.
std::string unseen_delay_words(const Study& study, const RowIndex& rows, const Subject& subject) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> cells;
  for (const auto& cell : study.cells) {
    for (const auto& family : cell.families) {
      if (&cell == subject.span.shortest.cell || family.reference != subject.row.reference) continue;
      const auto* row = find_row(rows, cell, family.on(study.primary_clock).control.name, study.primary_clock);
      if (row != nullptr && !is_resolved(*row)) cells.push_back(cell.label);
    }
  }
  if (cells.empty()) return "";
  const auto more = cells.size() - std::min(cells.size(), kMostNames);
  cells.resize(cells.size() - more);
  return "in " + join(cells, ", ") + (more == 0 ? "" : " and " + std::to_string(more) + " more") + " it does not show";
}

void add_sentences(std::vector<std::string>& sentences, const Subject& subject) {
  const auto& row = subject.row;
  sentences.push_back(cost_sentence(subject));
  if (row.verdict == verdict::kUnmeasurable || std::isnan(row.overhead_us)) return;
  if (auto on_wall = wall_sentence(subject); !on_wall.empty()) sentences.push_back(std::move(on_wall));
  sentences.push_back(share_sentence(subject));
  sentences.push_back(sure_sentence(subject));
}

// What instructions say where time leaves open what an arm costs; "" where they say nothing.
std::string instruction_sentence(const Subject& subject, const std::vector<InstructionRow>& rows) {
  const auto& row = subject.row;
  if (row.verdict != verdict::kAmbiguous) return "";
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const InstructionRow& counted) {
    return counted.kind == instruction_kind::kArm && counted.cell_id == row.cell_id && counted.arm == row.arm;
  });
  if (found == rows.end() || found->verdict == instruction_verdict::kOpen || found->verdict == instruction_verdict::kNone)
    return "";
  const auto percent = [&](double of) { return number_text(std::fabs(found->percent(of)), kSpokenDigits) + " %"; };
  const bool is_less = found->verdict == instruction_verdict::kFewer;
  const auto lo = is_less ? -found->extra_hi : found->extra_lo, hi = is_less ? -found->extra_lo : found->extra_hi;
  const auto from = count_words(lo), to = count_words(hi);
  const auto size = (from == to ? from : "between " + from + " and " + to) + " a step";
  if (found->verdict == instruction_verdict::kEqual)
    return "Counted in instructions, " + row.arm + " does as much as " + row.reference + " to within " + percent(found->margin) +
           ": the difference is " + size + ".";
  return "Counted in instructions, which noise hardly moves, " + row.arm + " does " + percent(found->extra) +
         (is_less ? " less than " : " more than ") + row.reference + ": " + size + ".";
}

// `whose`: "" or "trainer: ".
void add_sureness(std::vector<std::string>& phrases, const OverheadRow& row, const std::string& whose,
                  const std::string& controls, const std::string& unseen) {
  phrases.push_back(whose + launches_words(row.launches) + ", " + counted(row.pairs, "pair"));
  if (std::isfinite(row.resolution_us) && is_resolved(row)) phrases.push_back(seen_words(row));  // an open row tells its bound
  phrases.push_back(controls.empty() ? "no controls" : controls + (unseen.empty() ? "" : " (" + unseen + ")"));
  if (auto disturbed = disturbed_words(row); !disturbed.empty()) phrases.push_back(std::move(disturbed));
}

std::string look_words(const Study& study) {
  const auto planned = "at most " + std::to_string(study.settings.protocol.looks) + " looks";
  const auto which = study.looks > 0 ? "look " + std::to_string(study.looks) + " of " + planned : "one of " + planned;
  return which + ", so that every interval is of " + plain_text(100 * study.settings.confidence) + " %";
}

}  // namespace

SpokenAnswer spoken_answer(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings) {
  SpokenAnswer answer;
  if (const auto nothing = why_nothing(study); !nothing.empty()) {
    answer.sentences.push_back("There is no answer: " + nothing + ".");
    return answer;
  }
  const RowIndex index(rows);
  std::vector<std::string> controls;
  const auto references = finished_references(study);
  const bool is_one_of_many = references.size() > 1;
  for (const auto& reference : references) {
    const auto arm = answered_arm(study, reference);
    if (arm.empty()) {
      answer.sentences.push_back(reference_sentence(study, reference));
      continue;
    }
    const auto span = span_of(study, index, findings, arm);
    const auto* row = find_row(index, *span.shortest.cell, arm, study.primary_clock);
    if (row == nullptr) {
      answer.sentences.push_back(arm + " was not measured on " + clock_words(entry_of(study.primary_clock).name) + ".");
      continue;
    }
    const auto of_row = row_controls(*row);
    const auto* at_longest = find_row(index, *span.longest.cell, arm, study.primary_clock);
    const auto* on_cpu = find_row(index, *span.shortest.cell, arm, Clock::kThreadCpu);
    const auto* on_wall = find_row(index, *span.shortest.cell, arm, Clock::kWall);
    const Subject subject{span, *row, at_longest, on_cpu, on_wall, study.cells.size() > 1};
    add_sentences(answer.sentences, subject);
    if (auto counted = instruction_sentence(subject, findings.instructions); !counted.empty())
      answer.sentences.push_back(std::move(counted));
    add_sureness(answer.how_sure, *row, is_one_of_many ? arm + ": " : "", of_row, unseen_delay_words(study, index, subject));
    if (!of_row.empty()) controls.push_back(span.shortest.cell->label + (is_one_of_many ? ", " + reference : "") + ": " + of_row);
  }
  if (answer.sentences.empty()) answer.sentences.emplace_back("No step of a reference was timed.");
  for (auto& sentence : setting_sentences(study, findings.settings)) answer.sentences.push_back(std::move(sentence));
  const auto failed = failed_launches(study);
  if (!failed.empty()) answer.sentences.push_back("Launches that did not end well: " + failed + ".");
  if (!answer.how_sure.empty() && study.settings.protocol.looks > 1) answer.how_sure.push_back(look_words(study));
  if (!answer.how_sure.empty() && study.settings.protocol.fastest_step && study.primary_clock != Clock::kDevice)
    answer.how_sure.emplace_back("costs are of each block's fastest step: what only some steps cost is not seen");
  if (!answer.how_sure.empty()) answer.how_sure.push_back("data: " + data_words(study));
  answer.controls = join(controls, ". ");
  return answer;
}

}  // namespace ddpbench
