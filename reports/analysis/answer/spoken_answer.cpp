#include "reports/analysis/answer/spoken_answer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/answer/cost_phrases.hpp"
#include "reports/analysis/answer/law_phrases.hpp"
#include "reports/analysis/answer/setting_phrases.hpp"
#include "reports/analysis/answer/share.hpp"
#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/findings/settings/setting_comparison.hpp"
#include "reports/analysis/findings/settings/setting_groups.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {
namespace {

std::string reference_sentence(const Study& study, const std::string& reference) {
  const auto cells = cells_by_step(study, reference);
  auto text = reference + " takes " + short_duration_text(1e6 * cells.front().step_s) + " per step (" +
              place_phrase(*cells.front().cell) + ")";
  if (cells.size() > 1) {
    text += " to " + short_duration_text(1e6 * cells.back().step_s) + " (" + place_phrase(*cells.back().cell) + ")";
  }
  return text + "; no arm was compared with it.";
}

std::string data_phrase(const Study& study) {
  return study.data_origins.empty() ? "not recorded" : join(study.data_origins, ", ");
}

// Returns "" where nothing was compiled.
std::string compile_phrase(const Study& study) {
  double longest_s = 0;
  for (const auto& cell : study.cells) {
    for (const auto& launch : cell.launches) {
      for (const auto& row : launch.metrics) {
        if (name_in_metric(row.metric, kMetrics.once) == "compile") longest_s = std::max(longest_s, row.value);
      }
    }
  }
  if (longest_s <= 0) return "";
  return "a first step, in which torch.compile works, takes up to " + short_duration_text(1e6 * longest_s) +
         ": no cost or step time holds it";
}

// Where the delay is not found, a cost of its size is not found either.
std::string unseen_delay_phrase(const Study& study, const RowIndex& rows, const Subject& subject) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> cells;
  for (const auto& cell : study.cells) {
    for (const auto& family : cell.families) {
      if (&cell == subject.span.shortest.cell || family.reference != subject.row.reference) continue;
      const auto* row = find_row(rows, cell, family.on(study.primary_clock).control.name, study.primary_clock);
      if (row != nullptr && row->verdict == verdict::kAmbiguous) cells.push_back(cell.label);
    }
  }
  if (cells.empty()) return "";
  const auto more = cells.size() - std::min(cells.size(), kMostNames);
  cells.resize(cells.size() - more);
  const auto further = more == 0 ? "" : " and on " + counted(static_cast<std::int64_t>(more), "more cell");
  return "on " + join(cells, " and on ") + further + " it was not found";
}

// Behind what the delay was found as, where it was.
void add_unseen(std::vector<std::string>& controls, const std::string& unseen) {
  const bool tells_delay = !controls.empty() && controls.back().starts_with("a delay");
  if (tells_delay) controls.back() += "; " + unseen;
  if (!tells_delay) controls.push_back("of the known delay: " + unseen);
}

std::vector<std::string> sure_phrases(const OverheadRow& row, std::vector<std::string> controls, const std::string& disturbed) {
  std::vector<std::string> phrases{launches_phrase(row.launches) + ", " + counted(row.pairs, "pair")};
  if (std::isfinite(row.seen_us) && is_resolved(row)) phrases.push_back(seen_phrase(row));  // an open row tells its bound
  if (controls.empty()) controls.emplace_back("no controls");
  phrases.insert(phrases.end(), controls.begin(), controls.end());
  if (!disturbed.empty()) phrases.push_back(disturbed);
  return phrases;
}

std::string look_phrase(const Study& study) {
  const auto planned = "at most " + std::to_string(study.settings.protocol.looks) + " looks";
  const auto which = study.looks > 0 ? "look " + std::to_string(study.looks) + " of " + planned : "one of " + planned;
  return which + ", so that every interval is of " + plain_text(100 * study.settings.confidence) + " %";
}

// Fills an answer family by family.
class Speaker {
 public:
  explicit Speaker(const Findings& findings)
      : study_(findings.study),
        findings_(findings),
        index_(findings.overhead),
        references_(finished_references(findings.study)),
        tells_shares_(tells_shares(findings.study, findings.get<Disturbances>())) {}

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
    const auto spans = spans_of(findings_, index_, arm);
    const auto* row = row_of(spans.front(), arm);
    if (row == nullptr) return say(arm + " was not measured on " + clock_phrase(entry_of(study_.primary_clock).name) + ".");
    const auto subject = subject_of(spans.front(), *row);
    add_main_setting(subject);
    add_fullest(arm);
    add_other_settings(spans, arm);
    if (auto counted = instruction_sentence(subject, findings_.rows<InstructionRow>()); !counted.empty()) say(std::move(counted));
    const auto& cell = *subject.span.shortest.cell;
    const auto& control = cell.family_of(arm).on(study_.primary_clock).control.name;
    auto of_row = control_phrase(*row, find_row(index_, cell, control, study_.primary_clock));
    if (!of_row.empty()) controls_.push_back(cell.label + (is_one_of_many() ? ", " + reference : "") + ": " + join(of_row, "; "));
    const auto unseen = unseen_delay_phrase(study_, index_, subject);
    if (!unseen.empty()) add_unseen(of_row, unseen);
    answer_.how_sure.push_back((is_one_of_many() ? arm + ": " : "") +
                               sentences_of(sure_phrases(*row, std::move(of_row), disturbed_phrase(*row, disturbances(cell)))));
  }

  void add_main_setting(const Subject& subject) {
    say(language_phrase(subject.row.arm) + cost_sentence(subject));
    if (!has_estimate(subject.row)) return;
    auto on_wall = wall_sentence(subject);
    if (!on_wall.empty() && !is_throttled(findings_.get<Disturbances>())) say(std::move(on_wall));
    if (auto on_cpu = cpu_sentence(subject); !on_cpu.empty()) say(std::move(on_cpu));
    if (auto share = share_words_of(subject); !share.empty()) say(std::move(share));
    if (tells_shares_ && subject.span.law != nullptr) say(crossing_of(*subject.span.law));
    say(sure_sentence(subject));
  }

  std::string share_words_of(const Subject& subject) {
    if (!tells_shares_) return "";
    const auto& [span, row] = std::tie(subject.span, subject.row);
    const auto share = reported_share(span, row, subject.at_longest);
    if (!is_known(share)) return "";
    answer_.shares.push_back({span.longest.cell->axes.cell_id, row.arm, 1e3 * span.longest.step_s, share});
    return share_sentence(span, row, share);
  }

  // The line is of the work of every step.
  std::string crossing_of(const StepTimeLaw& law) const {
    const auto* row = index_.find(law.points.front().cell_id, law.arm, law.clock);
    return crossing_sentence(law,
                             row == nullptr || std::isnan(row->periodic_us.value) ? "" : " without its work of every n-th step");
  }

  void add_laws() {
    for (const auto& law : findings_.rows<StepTimeLaw>()) {
      const bool is_asked =
          tells_shares_ && law.line && law.clock == entry_of(study_.primary_clock).name && study_.facts_of(law.arm).is_subject();
      if (is_asked) answer_.laws.push_back({law.group, law.arm, crossing_of(law)});
    }
  }

  // In a line, where the answer is about a framework with everything off.
  void add_fullest(const std::string& answered) {
    const auto arm = fullest_arm(study_, answered);
    if (arm.empty()) return;
    const auto span = spans_of(findings_, index_, arm).front();
    const auto* row = row_of(span, arm);
    if (row == nullptr) return;
    const auto subject = subject_of(span, *row);
    const auto share = has_estimate(*row) ? share_words_of(subject) : "";
    say(cost_sentence(subject) + (share.empty() ? "" : " " + share));
  }

  // A trainer in C++ is no framework's trainer, and has a loop and a step of its own.
  std::string language_phrase(const std::string& arm) const {
    const auto program_of = [&](const std::string& reference) { return study_.facts_of(reference).program; };
    const auto own = program_of(study_.facts_of(arm).reference);
    const auto is_other = [&](const auto& reference) { return program_of(reference) != own; };
    if (std::none_of(references_.begin(), references_.end(), is_other)) return "";
    return own == kPythonProgram ? "In Python, " : "In C++, ";
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
      const auto share = has_estimate(*row) ? share_words_of(subject) : "";
      if (!share.empty()) text += " " + share;
      say(std::move(text));
    }
    if (spans.size() > kMostSettings)
      say(counted(static_cast<std::int64_t>(spans.size() - kMostSettings), "more setting") + " of " + arm + " stand" +
          (spans.size() == kMostSettings + 1 ? "s" : "") + " in overhead.csv.");
  }

  void add_rest() {
    if (answer_.sentences.empty()) say("No step of a reference was timed.");
    for (auto& sentence : setting_sentences(study_, findings_.rows<SettingComparison>())) say(std::move(sentence));
    const auto failed = failed_launches(study_);
    if (!failed.empty()) say("Launches that did not end well: " + failed + ".");
    answer_.controls = join(controls_, ". ");
    auto& sure = answer_.how_sure;
    if (sure.empty()) return;
    std::vector<std::string> of_all;
    if (study_.settings.protocol.looks > 1) of_all.push_back(look_phrase(study_));
    if (study_.settings.protocol.fastest_step && study_.primary_clock != Clock::kDevice)
      of_all.emplace_back("costs are of each block's fastest step: what only some steps cost is not seen");
    of_all.push_back("data: " + data_phrase(study_));
    if (const auto compile = compile_phrase(study_); !compile.empty()) of_all.push_back(compile);
    sure.push_back(sentences_of(of_all));
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

SpokenAnswer spoken_answer(const Findings& findings) {
  if (const auto nothing = why_nothing(findings.study); !nothing.empty())
    return {{"There is no answer: " + nothing + "."}, {}, "", {}, {}};
  return Speaker(findings).take();
}

}  // namespace ddpbench
