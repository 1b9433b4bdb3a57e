#include "reports/analysis/answer/bottleneck_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/analysis/findings/step_parts.hpp"
#include "reports/analysis/findings/traced_parts.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr double kTellingShare = 0.05;  // of a step that was spent without a core
constexpr std::size_t kMostCells = 4;
constexpr std::size_t kMostArms = 2;  // of a cell

using Parts = std::vector<const StepPartRow*>;          // of one arm of a cell, in the order of the table
using TracedParts = std::vector<const TracedPartRow*>;  // likewise

// What the timers and the traces say of the arms of a cell.
struct PartsOfCell {
  std::map<std::string, Parts> timed;
  std::map<std::string, TracedParts> traced;
};

template <class Row>
bool is_part(const Row& row, StepPart part) {
  return row.part == kStepPartNames[index_of(part)];
}

std::string percent_phrase(double share) { return number_text(100 * share, 2) + " %"; }

// "32 ms [29, 35]"
std::string ms_phrase(const Estimate& ms) {
  if (!std::isfinite(ms.lo) || !std::isfinite(ms.hi)) return short_duration_text(1e3 * ms.value);
  const auto figures = durations_apart({1e3 * ms.value, 1e3 * ms.lo, 1e3 * ms.hi});
  return figures.texts[0] + figures.unit + " [" + figures.texts[1] + ", " + figures.texts[2] + "]";
}

// What would help, without its verb.
template <class Row>
std::string helper_of(const Row& row) {
  if (is_part(row, StepPart::kCommunication)) return "an ideal network";
  if (is_part(row, StepPart::kSkew)) return "ranks that are equally fast";
  if (is_part(row, StepPart::kData)) return "a loader that is never waited for";
  if constexpr (requires { row.has_device; }) {
    if (row.has_device) return "a host that keeps the device busy";
  }
  return "a loop without work of its own";
}

std::string helper_by(const StepPartRow& row) {
  return is_part(row, StepPart::kHost) && !row.measured_by.empty() ? "the loop by hand" : helper_of(row);
}

// "an ideal network would save at most 32 ms [29, 35] (measured by raw+ideal)"
std::string help_phrase(const StepPartRow& row) {
  const auto by = row.measured_by.empty() ? "" : " (measured by " + row.measured_by + ")";
  const auto& saves = row.saves_ms;
  if (is_part(row, StepPart::kCompute)) return "less or faster computing helps, all else together takes " + ms_phrase(saves);
  if (!(saves.value > 0))
    return helper_by(row) + " would save nothing that is measured: " + us_interval_text(1e3 * saves.lo, 1e3 * saves.hi) + by;
  return helper_by(row) + " would save at most " + ms_phrase(saves) + by;
}

std::string named_part(const StepPartRow& row) {
  const auto rank = row.slowest_rank.empty() ? "" : " (rank " + row.slowest_rank + " is slow)";
  return row.part + rank;
}

// "resnet18_cifar10 on 2 ranks, trainer"
std::string where_phrase(const Cell& cell, const std::string& arm) {
  const bool tells_ranks = cell.label.find("rank") != std::string::npos;
  return cell.label + (tells_ranks ? "" : " on " + counted(cell.world_size(), "rank")) + (arm.empty() ? "" : ", " + arm);
}

Parts bottleneck_of(const Parts& parts) {
  Parts found;
  for (const auto* row : parts) {
    if (row->is_bottleneck) found.push_back(row);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto* a, const auto* b) { return a->ms.value > b->ms.value; });
  return found;
}

// Where the ranks shared their cores with others, or with each other.
std::string core_phrase(const StepPartRow& row) {
  const double share = row.without_core_ms.value / row.step_ms.value;
  if (!(share >= kTellingShare)) return "";
  return " of wall time, " + short_duration_text(1e3 * row.without_core_ms.value) + " of it without a core for its threads";
}

// Why several parts are named.
std::string open_phrase(const Parts& found) {
  const auto is_compute = [](const StepPartRow* row) { return is_part(*row, StepPart::kCompute); };
  const auto others = found.size() - static_cast<std::size_t>(std::count_if(found.begin(), found.end(), is_compute));
  std::vector<std::string> phrases;
  if (others > 1) phrases.emplace_back("parts as large cannot be told apart");
  if (others > 0 && others < found.size())
    phrases.push_back("whether compute is more than " + plain_text(100 * kMostlyCompute) + " % is open");
  return phrases.empty() ? "" : " (" + join(phrases, "; ") + ")";
}

std::string sentence_of(const std::string& where, const Parts& parts) {
  const auto found = bottleneck_of(parts);
  const auto begin =
      where + ": a step takes " + short_duration_text(1e3 * parts.front()->step_ms.value) + core_phrase(*parts.front()) + "; ";
  if (found.empty()) {  // beside a device
    const auto& row = *parts.front();
    return begin + help_phrase(row) + ", " + percent_phrase(row.share) + " of it.";
  }
  const auto& compute = *parts.front();  // told also where it is none that can be saved: it is the largest, often
  const bool is_named = std::find(found.begin(), found.end(), &compute) != found.end();
  std::vector<std::string> names, helps;
  for (const auto* row : found) {
    names.push_back(percent_phrase(row->share) + (names.empty() && is_named ? " of it is " : " ") + named_part(*row));
    helps.push_back(help_phrase(*row));
  }
  return begin + (is_named ? "" : percent_phrase(compute.share) + " of it is compute, ") + join(names, " and ") +
         open_phrase(found) + ": " + join(helps, "; ") + ".";
}

// "2 ranks, 10 steps each"
std::string recorded_phrase(const TracedPartRow& row) {
  return counted(row.ranks, "rank") + ", " + counted(row.steps, "step") + (row.ranks > 1 ? " each" : "");
}

// "25 % of it is exposed communication (20 to 30 % rank by rank)"
std::string traced_phrase(const TracedPartRow& row, const std::string& of) {
  std::vector<std::string> notes;
  if (is_part(row, StepPart::kCommunication) && !row.tells_waits) notes.emplace_back("with waiting for a slower rank");
  if (!row.slowest_rank.empty()) notes.push_back("rank " + row.slowest_rank + " is slow");
  const auto least = number_text(100 * row.least_share, 2), most = number_text(100 * row.most_share, 2);
  if (least != most) notes.push_back(least + " to " + most + " % rank by rank");
  return percent_phrase(row.share) + of + row.part + (notes.empty() ? "" : " (" + join(notes, "; ") + ")");
}

const TracedPartRow& traced_bottleneck(const TracedParts& parts) {
  return **std::find_if(parts.begin(), parts.end(), [](const auto* row) { return row->is_bottleneck; });
}

// Where only the host's stamps are there they show but one part: the trace shows all.
std::string all_traced_phrase(const TracedParts& parts) {
  std::vector<std::string> phrases;
  for (const auto* row : parts) phrases.push_back(traced_phrase(*row, phrases.empty() ? " of the step is " : " "));
  return join(phrases, ", ");
}

// The row of the trace that says the same as the timers' `one`; null: none does.
const TracedPartRow* same_in_trace(const StepPartRow& one, const TracedParts& traced) {
  const auto& row = traced_bottleneck(traced);
  // The trace counts gaps between operations as the host's, so it seldom finds as much compute.
  const auto largest =
      std::max_element(traced.begin(), traced.end(), [](const auto* a, const auto* b) { return a->share < b->share; });
  if (is_part(one, StepPart::kCompute) && is_part(**largest, StepPart::kCompute)) return *largest;
  const bool may_be_skew = is_part(one, StepPart::kSkew) && is_part(row, StepPart::kCommunication) && !row.tells_waits;
  return one.part == row.part || may_be_skew ? &row : nullptr;
}

// What the trace adds to the sentence of the timers.
std::string trace_addition(const Parts& timed, const TracedParts& traced) {
  const auto found = bottleneck_of(timed);
  const auto& row = traced_bottleneck(traced);
  const auto begin = " A trace (" + recorded_phrase(row) + ") shows ";
  if (found.empty()) return begin + "all parts: " + all_traced_phrase(traced) + ".";
  for (const auto* one : found) {
    if (const auto* same = same_in_trace(*one, traced))
      return begin + "the same part: " + traced_phrase(*same, " of its step is ") + ".";
  }
  const auto there =
      std::find_if(traced.begin(), traced.end(), [&](const auto* one) { return one->part == found.front()->part; });
  return begin + "another part: " + traced_phrase(row, " of its step is ") +
         (there == traced.end() ? "" : ", " + traced_phrase(**there, " ")) + "; which of them limits the step is undecided.";
}

// What the trace says where no timer timed.
std::string trace_sentence(const std::string& where, const TracedParts& traced) {
  const auto& row = traced_bottleneck(traced);
  const auto begin = where + ": in a trace (" + recorded_phrase(row) + ") a step takes " +
                     short_duration_text(1e3 * row.step_ms) + "; " + traced_phrase(row, " of it is ") + ": ";
  if (is_part(row, StepPart::kCompute))
    return begin + "less or faster computing helps, all else together takes " +
           short_duration_text(1e3 * (row.step_ms - row.ms)) + ".";
  return begin + helper_of(row) + " would save at most " + short_duration_text(1e3 * row.ms) + ".";
}

bool share_a_bottleneck(const Parts& a, const Parts& b) {
  const auto of_b = bottleneck_of(b);
  const auto is_in_b = [&](const auto* one) {
    return std::any_of(of_b.begin(), of_b.end(), [&](const auto* other) { return one->part == other->part; });
  };
  const auto of_a = bottleneck_of(a);
  return of_a.empty() || std::any_of(of_a.begin(), of_a.end(), is_in_b);
}

// Makes the sentences of one cell.
class CellSentences {
 public:
  CellSentences(const Study& study, const Cell& cell, const PartsOfCell& parts) : study_(study), cell_(cell), parts_(parts) {}

  // Of the first reference that has rows, then of arms whose bottleneck is another.
  std::vector<std::string> take() {
    for (const auto& family : cell_.families) {
      if (sentences_.empty() && has_timed(family.reference)) {
        first_ = &parts_.timed.at(family.reference);
        add(family.reference, cell_.families.size() > 1 ? family.reference : "");
      }
    }
    for (const auto& arm : cell_.arms) {
      const auto& facts = study_.facts_of(arm);
      const bool is_asked = facts.is_subject() || facts.is_reference();
      if (!is_asked || !has_timed(arm) || sentences_.size() == kMostArms) continue;
      if (first_ == nullptr || !share_a_bottleneck(*first_, parts_.timed.at(arm))) add(arm, arm);
    }
    if (!is_traced_) add_traced();
    return std::move(sentences_);
  }

 private:
  bool has_timed(const std::string& arm) const { return parts_.timed.contains(arm); }

  void add(const std::string& arm, const std::string& shown) {
    const auto& timed = parts_.timed.at(arm);
    const auto traced = parts_.traced.find(arm);
    auto sentence = sentence_of(where_phrase(cell_, shown), timed);
    if (traced != parts_.traced.end()) {
      sentence += trace_addition(timed, traced->second);
      is_traced_ = true;
    } else if (bottleneck_of(timed).empty() && parts_.traced.empty()) {
      sentence += " The timers of the host do not see the device's other parts; a trace does (run --profile kineto).";
    }
    sentences_.push_back(std::move(sentence));
  }

  // Of the first arm that has a trace, where none of those above has.
  void add_traced() {
    for (const auto& arm : cell_.arms) {
      const auto found = parts_.traced.find(arm);
      if (found == parts_.traced.end()) continue;
      sentences_.push_back(trace_sentence(where_phrase(cell_, arm), found->second));
      return;
    }
  }

  const Study& study_;
  const Cell& cell_;
  const PartsOfCell& parts_;
  const Parts* first_ = nullptr;
  bool is_traced_ = false;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> bottleneck_sentences(const Findings& findings) {
  std::map<std::string, PartsOfCell> by_cell;
  for (const auto& row : findings.rows<StepPartRow>()) by_cell[row.cell_id].timed[row.arm].push_back(&row);
  for (const auto& row : findings.rows<TracedPartRow>()) by_cell[row.cell_id].traced[row.arm].push_back(&row);
  std::vector<std::string> sentences;
  std::size_t told = 0;
  for (const auto& cell : findings.study.cells) {
    const auto found = by_cell.find(cell.axes.cell_id);
    if (found == by_cell.end() || ++told > kMostCells) continue;
    for (auto& sentence : CellSentences(findings.study, cell, found->second).take()) sentences.push_back(std::move(sentence));
  }
  if (told > kMostCells)
    sentences.push_back(counted(static_cast<std::int64_t>(told - kMostCells), "more cell") + ": tables/step_parts.csv.");
  return sentences;
}

}  // namespace ddpbench
