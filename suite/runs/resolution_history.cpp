#include "suite/runs/resolution_history.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/runs/cached_table.hpp"

namespace ddpbench {
namespace {

using Known = KnownResolution;

auto key_of(const Known& one) { return std::tie(one.cell_id, one.options, one.arm); }

// So many digits that count, and no exponent: "840", "3.4".
std::string rounded(double value, int digits) {
  std::array<char, 512> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits).ptr;
  double round = 0;
  std::from_chars(text.data(), end, round);
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), round, std::chars_format::fixed).ptr};
}

std::string duration(double us, int digits) {
  constexpr double kMillisecond = 1e3;
  return us < kMillisecond ? rounded(us, digits) + " us" : rounded(us / kMillisecond, digits) + " ms";
}

std::string words_of(const Known& one) {
  const double step_us = 1e3 * one.step_ms;
  return one.arm + " ±" + duration(one.resolution_us, 2) + " (" + rounded(100 * one.resolution_us / step_us, 2) + " % of " +
         duration(step_us, 3) + "; " + counted(one.pairs, "pair") + " in " + counted(one.launches, "launch") + ", " +
         one.measured_utc.substr(0, 10) + ")";
}

}  // namespace

std::filesystem::path resolution_history_path() {
  const auto cache = cache_folder();
  if (cache.empty()) return {};
  return std::filesystem::path(cache) / ("resolution-" + host_name() + ".csv");
}

std::vector<KnownResolution> known_resolutions() { return read_cached_table<Known>(resolution_history_path()); }

// Newest last; what was measured again moves there.
void remember_resolutions(const std::vector<KnownResolution>& measured) {
  const auto path = resolution_history_path();
  if (path.empty() || measured.empty()) return;
  auto known = known_resolutions();
  std::erase_if(known, [&](const Known& one) {
    return std::any_of(measured.begin(), measured.end(), [&](const Known& other) { return key_of(one) == key_of(other); });
  });
  known.insert(known.end(), measured.begin(), measured.end());
  if (known.size() > kMostKnownResolutions)
    known.erase(known.begin(), known.end() - static_cast<std::ptrdiff_t>(kMostKnownResolutions));
  write_cached_table(path, known);
}

std::vector<KnownResolution> resolutions_of(const MeasuredRun& run) {
  std::map<std::string, std::string> options;
  for (const auto& launch : run.plan) options.emplace(launch.cell_id, launch.options);
  // A module of the user's own is known by a name that the next one may have, too.
  const auto is_subject = [&](const std::string& name) {
    return std::any_of(run.arms.begin(), run.arms.end(),
                       [&](const ArmFacts& arm) { return arm.name == name && arm.is_subject() && arm.module.empty(); });
  };
  std::set<std::string> profiled;
  for (const auto& row : run.runs) {
    if (!row.profiled.empty()) profiled.insert(row.cell_id);
  }
  std::vector<Known> found;
  for (const auto& row : run.rows) {
    if (profiled.contains(row.cell_id)) continue;
    if (row.clock != run.primary_clock || !std::isfinite(row.resolution_us) || !is_subject(row.arm)) continue;
    found.push_back({row.cell_id, options[row.cell_id], row.arm, row.clock, run.utc, row.resolution_us, 1e-3 * row.step_us,
                     row.pairs, row.launches});
  }
  return found;
}

std::string resolution_phrase(const std::vector<KnownResolution>& known, const PlannedLaunch& launch) {
  std::vector<std::string> arms;
  for (const auto& one : known) {
    const bool is_of_cell = one.cell_id == launch.spec.cell_id && one.options == launch.options;
    if (is_of_cell && holds(launch.spec.arms, one.arm)) arms.push_back(words_of(one));
  }
  return join(arms, ", ");
}

}  // namespace ddpbench
