#include "reports/analysis/answer/banner.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/samples/clocks.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

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

}  // namespace

std::vector<std::string> banner(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& found) {
  std::vector<std::string> lines;
  if (is_throttled(found)) lines.push_back(quota_line(study, found));
  if (is_busy(found)) lines.push_back(busy_line(study, found));
  if (auto line = control_line(study, rows); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace ddpbench
