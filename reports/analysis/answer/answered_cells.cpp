#include "reports/analysis/answer/answered_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

// The shortest step on which something can be said of the arm; without any, the shortest.
const TimedCell& shortest_with_estimate(const std::vector<TimedCell>& cells, const RowIndex& rows,
                                        const std::pair<std::string, Clock>& what) {
  for (const auto& timed : cells) {
    const auto* row = find_row(rows, *timed.cell, what.first, what.second);
    if (row != nullptr && has_estimate(*row)) return timed;
  }
  return cells.front();
}

// Cells without the family count too: there the first family's step is taken.
TimedCell longest_of_group(const SettingGroup& group, const TimedCell& longest_of_family) {
  auto longest = longest_of_family;
  for (const auto* cell : group.cells) {
    const auto is_ours = [&](const auto& family) { return family.reference == longest_of_family.reference; };
    if (cell->families.empty() || std::any_of(cell->families.begin(), cell->families.end(), is_ours)) continue;
    const auto& family = cell->families.front();
    if (family.step_s() > longest.step_s) longest = {cell, family.step_s(), family.reference};
  }
  return longest;
}

std::vector<TimedCell> timed_cells(const std::vector<const Cell*>& of, const std::string& reference) {
  std::vector<TimedCell> cells;
  for (const auto* cell : of) {
    for (const auto& family : cell->families) {
      const double step_s = family.step_s();
      if (family.reference == reference && std::isfinite(step_s)) cells.push_back({cell, step_s, reference});
    }
  }
  std::stable_sort(cells.begin(), cells.end(), [](const TimedCell& a, const TimedCell& b) { return a.step_s < b.step_s; });
  return cells;
}

// Of one arm on one clock, by group.
std::map<std::string, const StepTimeLaw*> laws_of(const std::vector<StepTimeLaw>& laws, const std::string& arm,
                                                  const std::string& clock) {
  std::map<std::string, const StepTimeLaw*> found;
  for (const auto& law : laws) {
    if (law.line && law.arm == arm && law.clock == clock) found[law.group] = &law;
  }
  return found;
}

}  // namespace

std::vector<std::string> finished_references(const Study& study) {
  auto references = references_of(study.arms);
  const auto is_untimed = [&](const std::string& reference) { return cells_by_step(study, reference).empty(); };
  std::erase_if(references, is_untimed);
  return references;
}

std::string answered_arm(const Study& study, const std::string& reference) {
  const auto is_asked_about = [&](const ArmFacts& arm) { return arm.is_subject() && arm.reference == reference; };
  const auto is_measured = [&](const ArmFacts& arm) {
    return std::any_of(study.cells.begin(), study.cells.end(), [&](const Cell& cell) {
      return !cell.launches_with({arm.name, reference}).empty();
    });
  };
  // An arm that could not run here says nothing of those that did.
  const bool any_measured = std::any_of(study.arms.begin(), study.arms.end(),
                                        [&](const ArmFacts& arm) { return is_asked_about(arm) && is_measured(arm); });
  std::string first, first_wrapper;
  for (const auto& arm : study.arms) {
    if (!is_asked_about(arm) || (any_measured && !is_measured(arm))) continue;
    if (arm.is_wrapper && arm.name == arm.base) return arm.name;
    if (first_wrapper.empty() && arm.is_wrapper) first_wrapper = arm.name;
    if (first.empty()) first = arm.name;
  }
  return first_wrapper.empty() ? first : first_wrapper;
}

std::string fullest_arm(const Study& study, const std::string& answered) {
  const auto& of = study.facts_of(answered);
  if (!of.is_wrapper || of.name != of.base) return "";
  const ArmFacts* fullest = nullptr;
  for (const auto& arm : study.arms) {
    const bool is_more = arm.is_subject() && arm.base == of.base && arm.reference == of.reference && arm.removed.empty();
    if (is_more && arm.added.size() > (fullest == nullptr ? 0 : fullest->added.size())) fullest = &arm;
  }
  return fullest == nullptr ? "" : fullest->name;
}

std::vector<TimedCell> cells_by_step(const Study& study, const std::string& reference) {
  std::vector<const Cell*> cells;
  for (const auto& cell : study.cells) cells.push_back(&cell);
  return timed_cells(cells, reference);
}

const OverheadRow* find_row(const RowIndex& rows, const Cell& cell, const std::string& arm, Clock clock) {
  return rows.find(cell.axes.cell_id, arm, entry_of(clock).name);
}

std::vector<Span> spans_of(const Findings& findings, const RowIndex& rows, const std::string& arm) {
  const auto& study = findings.study;
  const auto clock = study.primary_clock;
  const auto& reference = study.facts_of(arm).reference;
  const auto laws = laws_of(findings.rows<StepTimeLaw>(), arm, entry_of(clock).name);
  std::vector<std::pair<bool, Span>> found;  // whether nothing can be said
  for (auto& group : setting_groups(study)) {
    const auto cells = timed_cells(group.cells, reference);
    if (cells.empty()) continue;
    const auto& shortest = shortest_with_estimate(cells, rows, {arm, clock});
    const auto law = laws.find(law_group(study, shortest.cell->axes));
    const auto* row = find_row(rows, *shortest.cell, arm, clock);
    const auto longest = longest_of_group(group, cells.back());
    found.emplace_back(row == nullptr || !has_estimate(*row),
                       Span{shortest, longest, law == laws.end() ? nullptr : law->second, std::move(group)});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.shortest.step_s) < std::pair(b.first, b.second.shortest.step_s);
  });
  std::vector<Span> spans;
  for (auto& [has_none, span] : found) spans.push_back(std::move(span));
  return spans;
}

std::string place_phrase(const Cell& cell) {
  return cell.label + ", " + counted(cell.world_size(), "rank") + ", " + cell.axes.backend;
}

std::string reference_phrase(const Cell& cell, const std::string& reference) {
  return reference + (cell.axes.strategy == "ddp" ? " DDP" : " (" + cell.axes.strategy + ")");
}

std::string failed_launches(const Study& study) {
  std::string bad;
  for (const auto& [status, count] : study.counts) {
    if (status == status::kOk) continue;
    bad += (bad.empty() ? "" : ", ") + std::to_string(count) + " " + (status == status::kPlanned ? "never ran" : status);
  }
  return bad;
}

std::string why_nothing(const Study& study) {
  if (study.anything_finished()) return "";
  int launches = 0;
  for (const auto& [status, count] : study.counts) launches += count;
  const auto bad = failed_launches(study);
  return "no launch finished" + (bad.empty() ? "" : "; of " + counted(launches, "launch") + ": " + bad);
}

}  // namespace ddpbench
