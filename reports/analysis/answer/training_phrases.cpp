#include "reports/analysis/answer/training_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/analysis/findings/whole_trainings.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

using TrainingParts = std::vector<const WholeTrainingRow*>;

bool has_bounds(const Estimate& estimate) { return std::isfinite(estimate.lo) && std::isfinite(estimate.hi); }

bool surely_differs(const Estimate& estimate) { return has_bounds(estimate) && (estimate.lo > 0 || estimate.hi < 0); }

std::string ms_text(const Estimate& ms) {
  if (!has_bounds(ms)) return signed_text(ms.value) + " ms";
  return estimate_phrase(1e3 * ms.value, 1e3 * ms.lo, 1e3 * ms.hi);
}

const WholeTrainingRow* find_part(const TrainingParts& rows, std::string_view part) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const auto* row) { return row->part == part && row->call.empty(); });
  return found == rows.end() ? nullptr : *found;
}

// Parts, or their calls, that surely differ, the largest first.
TrainingParts differing(const TrainingParts& rows, bool once, bool calls) {
  TrainingParts found;
  for (const auto* row : rows) {
    if (is_sum(row->part) || row->is_once != once || row->call.empty() == calls || !surely_differs(row->extra_ms)) continue;
    found.push_back(row);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto* a, const auto* b) { return std::fabs(a->extra_ms.value) > std::fabs(b->extra_ms.value); });
  return found;
}

std::string differing_phrase(const TrainingParts& rows) {
  std::vector<std::string> parts;
  for (const auto* row : rows) parts.push_back(row->part + " " + ms_text(row->extra_ms));
  return join(parts, ", ");
}

// "; of the boundary Sleeper.on_train_epoch_end takes +50 ms [49, 51]"
std::string calls_phrase(const TrainingParts& rows) {
  constexpr std::size_t kMost = 3;
  auto calls = differing(rows, false, true);
  const auto once = differing(rows, true, true);
  calls.insert(calls.end(), once.begin(), once.end());
  std::erase_if(calls, [&](const auto* call) {  // a part that does not differ needs no explanation
    const auto* part = find_part(rows, call->part);
    return part == nullptr || !surely_differs(part->extra_ms);
  });
  if (calls.size() > kMost) calls.resize(kMost);
  std::string text;
  for (const auto* row : calls) text += "; of the " + row->part + " " + row->call + " takes " + ms_text(row->extra_ms);
  return text;
}

// "; what it adds to boundary changes from epoch to epoch by +5.0 ms [+4.6, +5.4]"
std::string growth_phrase(const TrainingParts& rows) {
  std::string text;
  for (const auto* row : rows) {
    if (!surely_differs(row->growth_ms)) continue;
    text += "; what it adds to " + row->part + " changes from epoch to epoch by " + ms_text(row->growth_ms);
  }
  return text;
}

std::string once_phrase(const TrainingParts& rows) {
  const auto parts = differing(rows, true, false);
  return parts.empty() ? "" : "; once in a training: " + differing_phrase(parts);
}

const WholeTrainingResult* find_result(const std::vector<WholeTrainingResult>& results, const WholeTrainingRow& of) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const auto& result) { return result.cell_id == of.cell_id && result.arm == of.arm; });
  return found == results.end() ? nullptr : &*found;
}

// "; the cost per step that was timed makes +160 ms [+120, +200] of it"
std::string explained_phrase(const Findings& findings, const std::vector<WholeTrainingResult>& results,
                             const WholeTrainingRow& epoch) {
  const auto* result = find_result(results, epoch);
  const auto timed = std::find_if(findings.overhead.begin(), findings.overhead.end(), [&](const OverheadRow& row) {
    return row.cell_id == epoch.cell_id && row.arm == epoch.arm && row.clock == clock_name::kWall;
  });
  if (result == nullptr || timed == findings.overhead.end() || !has_bounds(timed->overhead_us)) return "";
  const auto ms = mapped(timed->overhead_us, [&](double us) { return us * result->steps / 1e3; });
  return "; the cost per step that was timed makes " + ms_text(ms) + " of it";
}

// A mean over launches of other lengths is no whole number.
std::string steps_phrase(double steps) { return steps == std::round(steps) ? count_phrase(steps) : number_text(steps); }

// "The same training twice: an epoch differs by -3.1 ms [-20, +14]"; "A delay of 500 us behind each of 100 steps, 50 ms an epoch, was
// found in its steps as +48 ms [+30, +66]"
std::string control_phrase(const Findings& findings, const std::vector<WholeTrainingResult>& results, const TrainingParts& rows) {
  const auto& epoch = *find_part(rows, kWholeEpoch);
  const auto* steps = find_part(rows, "steps");
  const auto* result = find_result(results, epoch);
  const bool is_twice = findings.study.facts_of(epoch.arm).role == ArmRole::kAaControl;
  if (is_twice || steps == nullptr || result == nullptr)
    return "The same training twice (" + epoch.arm + "): an epoch differs by " + ms_text(epoch.extra_ms);
  const double delay_us = findings.study.settings.protocol.injected_us;
  const bool is_found = has_bounds(steps->extra_ms) && steps->extra_ms.lo > 0;
  return "A delay of " + short_duration_text(delay_us) + " behind each of " + steps_phrase(result->steps) + " steps, " +
         short_duration_text(delay_us * result->steps) + " an epoch, " +
         (is_found ? "was found in its steps as " : "is not found: its steps differ by ") + ms_text(steps->extra_ms);
}

std::string target_phrase(double accuracy) { return number_text(100 * accuracy) + " % of the validation images are right"; }

// ", in 3 of 5 launches", where an accuracy is not reached in all.
std::string launches_phrase(const WholeTrainingRow& row, const TrainingParts& rows) {
  const auto all = find_part(rows, kWholeEpoch)->launches;
  return row.launches < all ? ", in " + std::to_string(row.launches) + " of " + counted(all, "launch") : "";
}

// "; the time until 90.0 % of the validation images are right differs by +120 ms [+90, +150]"
std::string to_accuracy_phrase(double target, const TrainingParts& rows) {
  const auto* row = find_part(rows, kToAccuracy);
  if (row == nullptr) return "";
  return "; the time until " + target_phrase(target) + " differs by " + ms_text(row->extra_ms) + launches_phrase(*row, rows) +
         (surely_differs(row->extra_ms) ? "" : ", which may be chance");
}

// "; it takes 4.3 s until 90.0 % of the validation images are right"
std::string time_to_accuracy_phrase(double target, const TrainingParts& rows) {
  if (target <= 0) return "";
  const auto* row = find_part(rows, kToAccuracy);
  if (row == nullptr) return "; in no launch does every training get so far that " + target_phrase(target);
  return "; it takes " + short_duration_text(1e3 * row->ms) + " until " + target_phrase(target) + launches_phrase(*row, rows);
}

std::string added_phrase(const Findings& findings, const std::vector<WholeTrainingResult>& results, const TrainingParts& rows) {
  const auto& epoch = *find_part(rows, kWholeEpoch);
  const auto parts = differing(rows, false, false);
  auto text = "With " + epoch.arm + " an epoch differs by " + ms_text(epoch.extra_ms) +
              (surely_differs(epoch.extra_ms) ? "" : ", which may be chance");
  if (!parts.empty()) text += ": " + differing_phrase(parts);
  return text + explained_phrase(findings, results, epoch) + calls_phrase(rows) + growth_phrase(rows) + once_phrase(rows) +
         to_accuracy_phrase(findings.study.settings.protocol.target_accuracy, rows);
}

std::string accuracy_phrase(const std::vector<WholeTrainingResult>& results, const WholeTrainingRow& epoch) {
  const auto* found = find_result(results, epoch);
  if (found == nullptr || !std::isfinite(found->validation_accuracy)) return "";
  return "; at the end the network is right about " + number_text(100 * found->validation_accuracy) +
         " % of the validation images and " + number_text(100 * found->test_accuracy) + " % of the test images";
}

}  // namespace

std::vector<std::string> whole_training_sentences(const Findings& findings) {
  const auto& [rows, results] = findings.get<WholeTrainings>();
  std::vector<std::string> sentences;
  for (const auto& cell : findings.study.cells) {
    for (const auto& arm : cell.arms) {
      TrainingParts of_arm;
      for (const auto& row : rows) {
        if (row.cell_id == cell.axes.cell_id && row.arm == arm) of_arm.push_back(&row);
      }
      const auto* epoch = find_part(of_arm, kWholeEpoch);
      if (epoch == nullptr) continue;
      if (arm == epoch->reference) {
        sentences.push_back("Whole trainings on " + cell.label + ", " + counted(cell.world_size(), "rank") + ", " +
                            std::to_string(epoch->epochs) + (epoch->epochs == 1 ? " epoch, " : " epochs, ") +
                            counted(epoch->launches, "launch") + ": an epoch takes " + short_duration_text(1e3 * epoch->ms) +
                            " by " + arm + time_to_accuracy_phrase(findings.study.settings.protocol.target_accuracy, of_arm) +
                            accuracy_phrase(results, *epoch) + ".");
      } else if (findings.study.facts_of(arm).is_control()) {
        sentences.push_back(control_phrase(findings, results, of_arm) + ".");
      } else {
        sentences.push_back(added_phrase(findings, results, of_arm) + ".");
      }
    }
  }
  return sentences;
}

}  // namespace ddpbench
