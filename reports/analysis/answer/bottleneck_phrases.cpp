#include "reports/analysis/answer/bottleneck_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/analysis/findings/step_parts.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr double kTellingShare = 0.05;  // of a step that was spent without a core
constexpr std::size_t kMostCells = 4;
constexpr std::size_t kMostArms = 2;  // of a cell

using Parts = std::vector<const StepPartRow*>;  // of one arm of a cell, in the order of the table

bool is_part(const StepPartRow& row, StepPart part) { return row.part == kStepPartNames[index_of(part)]; }

std::string percent_phrase(const StepPartRow& row) { return number_text(100 * row.share, 2) + " %"; }

// "32 ms [29, 35]"
std::string ms_phrase(const Estimate& ms) {
  if (!std::isfinite(ms.lo) || !std::isfinite(ms.hi)) return short_duration_text(1e3 * ms.value);
  const auto figures = durations_apart({1e3 * ms.value, 1e3 * ms.lo, 1e3 * ms.hi});
  return figures.texts[0] + figures.unit + " [" + figures.texts[1] + ", " + figures.texts[2] + "]";
}

// What would help, without its verb.
std::string helper_of(const StepPartRow& row) {
  if (is_part(row, StepPart::kCommunication)) return "an ideal network";
  if (is_part(row, StepPart::kSkew)) return "ranks that are equally fast";
  if (is_part(row, StepPart::kData)) return "a loader that is never waited for";
  if (is_part(row, StepPart::kHost)) return row.measured_by.empty() ? "a loop without work of its own" : "the loop by hand";
  return "all that is not compute";
}

// "an ideal network would save at most 32 ms [29, 35] (measured by raw+ideal)"
std::string help_phrase(const StepPartRow& row) {
  const auto by = row.measured_by.empty() ? "" : " (measured by " + row.measured_by + ")";
  const auto& saves = row.saves_ms;
  if (is_part(row, StepPart::kCompute)) return "less or faster computing helps, all else together takes " + ms_phrase(saves);
  if (!(saves.value > 0))
    return helper_of(row) + " would save nothing that is measured: " + us_interval_text(1e3 * saves.lo, 1e3 * saves.hi) + by;
  return helper_of(row) + " would save at most " + ms_phrase(saves) + by;
}

std::string named_part(const StepPartRow& row) {
  const auto rank = row.slowest_rank.empty() ? "" : " (rank " + row.slowest_rank + ")";
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
    return begin + help_phrase(row) + ", " + percent_phrase(row) +
           " of it. The timers of the host do not see the device's other parts.";
  }
  std::vector<std::string> names, helps;
  for (const auto* row : found) {
    names.push_back(percent_phrase(*row) + (names.empty() ? " of it is " : " ") + named_part(*row));
    helps.push_back(help_phrase(*row));
  }
  return begin + join(names, " and ") + open_phrase(found) + ": " + join(helps, "; ") + ".";
}

bool share_a_bottleneck(const Parts& a, const Parts& b) {
  const auto of_b = bottleneck_of(b);
  const auto is_in_b = [&](const auto* one) {
    return std::any_of(of_b.begin(), of_b.end(), [&](const auto* other) { return one->part == other->part; });
  };
  const auto of_a = bottleneck_of(a);
  return of_a.empty() || std::any_of(of_a.begin(), of_a.end(), is_in_b);
}

// Of the first reference that has rows, then of arms whose bottleneck is another.
std::vector<std::string> sentences_of_cell(const Study& study, const Cell& cell, const std::map<std::string, Parts>& by_arm) {
  std::vector<std::string> sentences;
  const Parts* first = nullptr;
  for (const auto& family : cell.families) {
    if (const auto found = by_arm.find(family.reference); first == nullptr && found != by_arm.end()) {
      first = &found->second;
      sentences.push_back(sentence_of(where_phrase(cell, cell.families.size() > 1 ? family.reference : ""), *first));
    }
  }
  for (const auto& arm : cell.arms) {
    const auto found = by_arm.find(arm);
    const auto& facts = study.facts_of(arm);
    const bool is_asked = facts.is_subject() || facts.is_reference();
    if (!is_asked || found == by_arm.end() || sentences.size() == kMostArms) continue;
    if (first == nullptr || !share_a_bottleneck(*first, found->second))
      sentences.push_back(sentence_of(where_phrase(cell, arm), found->second));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> bottleneck_sentences(const Findings& findings) {
  std::map<std::string, std::map<std::string, Parts>> by_cell;
  for (const auto& row : findings.rows<StepPartRow>()) by_cell[row.cell_id][row.arm].push_back(&row);
  std::vector<std::string> sentences;
  std::size_t told = 0;
  for (const auto& cell : findings.study.cells) {
    const auto found = by_cell.find(cell.axes.cell_id);
    if (found == by_cell.end() || ++told > kMostCells) continue;
    for (auto& sentence : sentences_of_cell(findings.study, cell, found->second)) sentences.push_back(std::move(sentence));
  }
  if (told > kMostCells)
    sentences.push_back(counted(static_cast<std::int64_t>(told - kMostCells), "more cell") + ": tables/step_parts.csv.");
  return sentences;
}

}  // namespace ddpbench
