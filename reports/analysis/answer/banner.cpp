#include "reports/analysis/answer/banner.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/samples/clocks.hpp"
#include "suite/base/profiler.hpp"
#include "suite/base/text.hpp"
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

// What each launch that ran did so under, by its id; "": under no profiler. Launches of collectives have facts alone.
std::map<std::string, std::string> profilers_of_launches(const Study& study) {
  std::map<std::string, std::string> profilers;
  for (const auto& cell : study.cells) {
    for (const auto& launch : cell.launches) {
      if (launch.has_run()) profilers[launch.launch_id] = launch.profiled();
    }
  }
  if (!study.cells.empty()) return profilers;
  for (const auto& launch : study.launch_facts) {
    const auto fact = launch.facts.find(kProfiledFact);
    profilers[launch.launch_id] = fact == launch.facts.end() ? "" : fact->second.text;
  }
  return profilers;
}

// " (L0002, L0003, …)"
std::string named(const std::vector<std::string>& launches) {
  constexpr std::size_t kMostNamed = 3;
  auto first = launches;
  if (first.size() > kMostNamed) {
    first.resize(kMostNamed);
    first.emplace_back("…");
  }
  return " (" + join(first, ", ") + ")";
}

}  // namespace

std::vector<std::string> profiled_sentences(const Study& study) {
  const auto profilers = profilers_of_launches(study);
  std::map<std::string, std::vector<std::string>> launches;
  for (const auto& [launch_id, profiler] : profilers) {
    if (!profiler.empty()) launches[profiler].push_back(launch_id);
  }
  std::vector<std::string> sentences;
  for (const auto& [profiler, ids] : launches) {
    const bool are_all = ids.size() == profilers.size();
    sentences.push_back("Profiled: " + std::to_string(ids.size()) + " of " +
                        counted(static_cast<std::int64_t>(profilers.size()), "launch") + (are_all ? "" : named(ids)) +
                        " ran under " + profiler + ": " + (ids.size() == 1 ? "its" : "their") +
                        " times include what it records.");
  }
  return sentences;
}

std::vector<std::string> banner(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& found) {
  auto lines = profiled_sentences(study);
  if (is_throttled(found)) lines.push_back(quota_line(study, found));
  if (is_busy(found)) lines.push_back(busy_line(study, found));
  if (auto line = control_line(study, rows); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace ddpbench
