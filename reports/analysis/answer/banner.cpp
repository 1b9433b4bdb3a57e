#include "reports/analysis/answer/banner.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/words/wording.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr double kThrottledPercent = 5, kBusyPercent = 20;  // of the super-blocks

std::string share_of_measurement(double percent) { return " in " + number_text(percent, 2) + " % of the measurement"; }

std::string quota_line(const Study& study, const Disturbances& found) {
  const auto text = "The CPU quota of the control group held the ranks back" + share_of_measurement(found.quota);
  if (study.primary_clock == Clock::kWall) return text + ": the figures tell about the quota, and no share of the step is told.";
  return text + ": what the wall clock says tells about the quota, and the answer leaves it out.";
}

std::string busy_line(const Study& study, const Disturbances& found) {
  const bool by_machines = found.hypervisor > found.programs;
  const auto who = by_machines ? std::string("Other machines on the same host had cores of this one")
                               : std::string("This machine was busy: other programs ran on its cores");
  const auto text = who + share_of_measurement(found.hypervisor + found.programs);
  if (study.primary_clock == Clock::kWall) return text + ": the figures hold what they took, and no share of the step is told.";
  if (study.primary_clock != Clock::kAwaited) return text + ".";
  if (by_machines) return text + ": the figures hold what they took.";
  return text + ". Awaited time leaves out what they took; the wall clock does not.";
}

// Of the row whose control is off most.
std::string control_line(const Study& study, const std::vector<OverheadRow>& rows) {
  const auto off = [&](const OverheadRow& row) {
    const bool is_asked = row.clock == entry_of(study.primary_clock).name && study.facts_of(row.arm).is_subject();
    return is_asked && row.verdict != verdict::kUnmeasurable && row.control_factor > 0 ? std::fabs(std::log(row.control_factor))
                                                                                       : 0.0;
  };
  const auto worst = std::max_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return off(a) < off(b); });
  if (worst == rows.end() || !(off(*worst) > 0)) return "";
  const bool is_above = worst->control_factor > 1;
  const double factor = is_above ? worst->control_factor : 1 / worst->control_factor;
  return "A known delay of " + short_duration_text(worst->injected_true_us) + " was found as " +
         short_duration_text(worst->injected_us) + " (" + study.label_of(worst->cell_id) + "): figures may be up to " +
         number_text(100 * (factor - 1), 2) + " % too " + (is_above ? "large" : "small") +
         ", and the intervals of costs and their shares allow for that.";
}

// By who took most of a super-block.
double& count_of(Disturbances& found, const CoreTaking& taken) {
  const double most = std::max({taken.throttled_s, taken.steal_s, taken.foreign_s});
  if (most > 0 && taken.throttled_s == most) return found.quota;
  return most > 0 && taken.steal_s == most ? found.hypervisor : found.programs;
}

Disturbances disturbances_of(const std::vector<const Cell*>& cells) {
  Disturbances found;
  double super_blocks = 0;
  for (const auto* cell : cells) {
    for (const auto& launch : cell->launches) {
      super_blocks += static_cast<double>(launch.samples.super_blocks);
      for (const auto& [number, taken] : launch.samples.taken) ++count_of(found, taken);
    }
  }
  if (super_blocks == 0) return {};
  for (auto* count : {&found.quota, &found.hypervisor, &found.programs}) *count *= 100 / super_blocks;
  return found;
}

}  // namespace

Disturbances disturbances(const Study& study) {
  std::vector<const Cell*> cells;
  for (const auto& cell : study.cells) cells.push_back(&cell);
  return disturbances_of(cells);
}

Disturbances disturbances(const Cell& cell) { return disturbances_of({&cell}); }

bool is_throttled(const Disturbances& found) { return found.quota >= kThrottledPercent; }

bool is_busy(const Disturbances& found) { return found.hypervisor + found.programs >= kBusyPercent; }

bool tells_shares(const Study& study, const Disturbances& found) {
  return study.primary_clock != Clock::kWall || !(is_throttled(found) || is_busy(found));
}

std::vector<std::string> banner(const Study& study, const std::vector<OverheadRow>& rows) {
  const auto found = disturbances(study);
  std::vector<std::string> lines;
  if (is_throttled(found)) lines.push_back(quota_line(study, found));
  if (is_busy(found)) lines.push_back(busy_line(study, found));
  if (auto line = control_line(study, rows); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace ddpbench
