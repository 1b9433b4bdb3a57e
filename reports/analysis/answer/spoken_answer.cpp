#include "reports/analysis/answer/spoken_answer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "reports/analysis/answer/answer.hpp"
#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/answer/law_words.hpp"
#include "reports/analysis/answer/setting_words.hpp"
#include "reports/analysis/answer/share.hpp"
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
  const auto does = row.arm + (costs ? " costs " : " saves ");
  if (!is_tellable(size.value, size.lo, size.hi)) return does + of_what(subject, between_words(size)) + on_average;
  return does + of_what(subject, short_duration_text(size.value)) + ", " + between_words(size) + on_average +
         parts_words(subject);
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
  if (!is_told(row)) {
    return "What " + row.arm + " costs cannot be said: " + row.reason + ".";
  }
  return (is_resolved(row) ? resolved_words(subject, told_us(row)) : open_words(subject)) + ".";
}

// Where the wall clock of this machine surely says another figure; "" where it does not.
std::string wall_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (row.clock != clock_name::kAwaited || subject.on_wall == nullptr || !is_resolved(*subject.on_wall)) return "";
  const auto awaited = told_us(row), wall = told_us(*subject.on_wall);
  if (!(wall.lo > awaited.hi + row.margin_us) && !(wall.hi < awaited.lo - row.margin_us)) return "";
  const bool saves = wall.hi < 0;
  const Estimate size = saves ? Estimate{-wall.value, -wall.hi, -wall.lo, 0} : wall;
  const auto text =
      std::string("On the wall clock, which holds the time that threads waited for a core, it ") + (saves ? "saves " : "costs ");
  const bool is_figure = is_tellable(size.value, size.lo, size.hi);
  return text + (is_figure ? short_duration_text(size.value) + ", " : "") + between_words(size) + ".";
}

// Costs of the resolution are mostly called so, of twice as much nearly always (tests/reports/truths, "WhatTheResolutionIsIsSeen").
std::string seen_words(const OverheadRow& row) {
  return "a cost of " + short_duration_text(2 * seen_us(row)) + " would nearly always be seen, one of " +
         short_duration_text(seen_us(row)) + " mostly";
}

// What those pairs mean for the figure depends on the clock: awaited time leaves out what other programs and a quota took, and not what the
// hypervisor did; the wall holds all of it.
std::string disturbed_words(const OverheadRow& row, const Disturbances& found) {
  if (!std::isfinite(row.disturbed_percent)) return "";
  const bool by_quota = found.quota > found.programs + found.hypervisor, by_machines = found.hypervisor > found.programs;
  const auto* who = by_quota ? "the CPU quota" : by_machines ? "other machines" : "other programs";
  const auto text = std::string(who) + " disturbed " + number_text(row.disturbed_percent, kSpokenDigits) + " % of the pairs";
  if (!(row.disturbed_percent > 0)) return text;
  if (row.clock != clock_name::kAwaited && row.clock != clock_name::kWall) return text;
  const bool is_left_out = row.clock == clock_name::kAwaited && (by_quota || !by_machines);
  return text + "; the time that " + (by_quota ? "it" : "they") + " took is " + (is_left_out ? "left out" : "in the figures");
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
  if (row.launches == 1) return "Measured in one launch: five would tell whether it repeats.";
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
                  const std::string& controls, const std::string& disturbed) {
  phrases.push_back(whose + launches_words(row.launches) + ", " + counted(row.pairs, "pair"));
  if (std::isfinite(row.resolution_us) && is_resolved(row)) phrases.push_back(seen_words(row));  // an open row tells its bound
  phrases.push_back(controls.empty() ? "no controls" : controls);
  if (!disturbed.empty()) phrases.push_back(disturbed);
}

std::string look_words(const Study& study) {
  const auto planned = "at most " + std::to_string(study.settings.protocol.looks) + " looks";
  const auto which = study.looks > 0 ? "look " + std::to_string(study.looks) + " of " + planned : "one of " + planned;
  return which + ", so that every interval is of " + plain_text(100 * study.settings.confidence) + " %";
}

// Fills an answer family by family.
class Speaker {
 public:
  Speaker(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings)
      : study_(study),
        findings_(findings),
        index_(rows),
        references_(finished_references(study)),
        tells_shares_(tells_shares(study, findings.disturbances)) {}

  SpokenAnswer take() {
    for (const auto& reference : references_) add_family(reference);
    add_laws();
    add_rest();
    return std::move(answer_);
  }

 private:
  void add_family(const std::string& reference) {
    const auto arm = answered_arm(study_, reference);
    if (arm.empty()) return say(reference_sentence(study_, reference));
    const auto spans = spans_of(study_, index_, findings_, arm);
    const auto* row = row_of(spans.front(), arm);
    if (row == nullptr) return say(arm + " was not measured on " + clock_words(entry_of(study_.primary_clock).name) + ".");
    const auto subject = subject_of(spans.front(), *row);
    add_main_setting(subject);
    add_other_settings(spans, arm);
    if (auto counted = instruction_sentence(subject, findings_.instructions); !counted.empty()) say(std::move(counted));
    const auto of_row = row_controls(*row);
    const auto unseen = unseen_delay_words(study_, index_, subject);
    add_sureness(answer_.how_sure, *row, is_one_of_many() ? arm + ": " : "",
                 of_row.empty() || unseen.empty() ? of_row : of_row + " (" + unseen + ")",
                 disturbed_words(*row, disturbances(*subject.span.shortest.cell)));
    if (!of_row.empty())
      controls_.push_back(subject.span.shortest.cell->label + (is_one_of_many() ? ", " + reference : "") + ": " + of_row);
  }

  void add_main_setting(const Subject& subject) {
    say(cost_sentence(subject));
    if (!is_told(subject.row)) return;
    auto on_wall = wall_sentence(subject);
    if (!on_wall.empty() && !is_throttled(findings_.disturbances)) say(std::move(on_wall));
    if (auto share = share_words_of(subject); !share.empty()) say(std::move(share));
    if (tells_shares_ && subject.span.law != nullptr) say(crossing_of(*subject.span.law));
    say(sure_sentence(subject));
  }

  std::string share_words_of(const Subject& subject) {
    if (!tells_shares_) return "";
    const auto& [span, row] = std::tie(subject.span, subject.row);
    const auto share = told_share(span, row, subject.at_longest);
    if (!is_known(share)) return "";
    answer_.shares.push_back({span.longest.cell->axes.cell_id, row.arm, 1e3 * span.longest.step_s, share});
    return share_sentence(span, row, share);
  }

  // The line is of the work of every step.
  std::string crossing_of(const StepTimeLaw& law) const {
    const auto* row = index_.find(law.points.front().cell_id, law.arm, law.clock);
    return crossing_sentence(law, row == nullptr || std::isnan(row->periodic_us) ? "" : " without its work of every n-th step");
  }

  void add_laws() {
    for (const auto& law : findings_.laws) {
      const bool is_asked =
          tells_shares_ && law.line && law.clock == entry_of(study_.primary_clock).name && study_.facts_of(law.arm).is_subject();
      if (is_asked) answer_.laws.push_back({law.group, law.arm, crossing_of(law)});
    }
  }

  // Each setting has a cost of its own, and a step.
  void add_other_settings(const std::vector<Span>& spans, const std::string& arm) {
    constexpr std::size_t kMostSettings = 4;  // with the first
    for (std::size_t i = 1; i < std::min(spans.size(), kMostSettings); ++i) {
      const auto* row = row_of(spans[i], arm);
      if (row == nullptr) continue;
      const auto with = what_differs(spans[i].group, spans.front().group);
      const auto subject = subject_of(spans[i], *row);
      auto text = "With " + (with.empty() ? spans[i].shortest.cell->label : with) + ": " + cost_sentence(subject);
      const auto share = is_told(*row) ? share_words_of(subject) : "";
      if (!share.empty()) text += " " + share;
      say(std::move(text));
    }
    if (spans.size() > kMostSettings)
      say(counted(static_cast<std::int64_t>(spans.size() - kMostSettings), "more setting") + " of " + arm + " stand" +
          (spans.size() == kMostSettings + 1 ? "s" : "") + " in overhead.csv.");
  }

  void add_rest() {
    if (answer_.sentences.empty()) say("No step of a reference was timed.");
    for (auto& sentence : setting_sentences(study_, findings_.settings)) say(std::move(sentence));
    const auto failed = failed_launches(study_);
    if (!failed.empty()) say("Launches that did not end well: " + failed + ".");
    answer_.controls = join(controls_, ". ");
    auto& sure = answer_.how_sure;
    if (sure.empty()) return;
    if (study_.settings.protocol.looks > 1) sure.push_back(look_words(study_));
    if (study_.settings.protocol.fastest_step && study_.primary_clock != Clock::kDevice)
      sure.emplace_back("costs are of each block's fastest step: what only some steps cost is not seen");
    sure.push_back("data: " + data_words(study_));
  }

  const OverheadRow* row_of(const Span& span, const std::string& arm) const {
    return find_row(index_, *span.shortest.cell, arm, study_.primary_clock);
  }
  Subject subject_of(const Span& span, const OverheadRow& row) const {
    const auto& cell = *span.shortest.cell;
    return {span,
            row,
            find_row(index_, *span.longest.cell, row.arm, study_.primary_clock),
            find_row(index_, cell, row.arm, Clock::kThreadCpu),
            find_row(index_, cell, row.arm, Clock::kWall),
            study_.cells.size() > 1};
  }
  bool is_one_of_many() const { return references_.size() > 1; }
  void say(std::string sentence) { answer_.sentences.push_back(std::move(sentence)); }

  const Study& study_;
  const Findings& findings_;
  const RowIndex index_;
  const std::vector<std::string> references_;
  const bool tells_shares_;
  std::vector<std::string> controls_;
  SpokenAnswer answer_;
};

}  // namespace

SpokenAnswer spoken_answer(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings) {
  if (const auto nothing = why_nothing(study); !nothing.empty())
    return {{"There is no answer: " + nothing + "."}, {}, "", {}, {}};
  return Speaker(study, rows, findings).take();
}

}  // namespace ddpbench
