#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Bounds what is kept: of each cell and arm the last one, of all the newest.
inline constexpr std::size_t kMostKnownResolutions = 2000;

// Returns $XDG_CACHE_HOME or ~/.cache, then ddpbench/resolution-<hostname>.csv, beside the probe's answer; empty where neither
// variable is set: nothing is kept then.
std::filesystem::path resolution_history_path();

// Reads the history. One that cannot be read or is damaged, or cannot be written, only costs a forecast: no error.
std::vector<KnownResolution> known_resolutions();

// Adds what was measured, in the place of what was known of the same cell and arm.
void remember_resolutions(const std::vector<KnownResolution>& measured);

// Holds what a run measured: rows of its subjects (`arms`) that have a resolution on the clock of the answer; `plan` has their
// options, `runs` says which launches ran under a profiler.
struct MeasuredRun {
  std::span<const OverheadRow> rows;
  std::string primary_clock;
  std::span<const PlanRow> plan;
  std::span<const ArmFacts> arms;
  std::string utc;
  std::span<const RunRow> runs{};
};

// Returns those rows' resolutions; leaves out arms with a module of the user's own, whose name the next one may have, too, and
// cells of which a launch ran under a profiler.
std::vector<KnownResolution> resolutions_of(const MeasuredRun& run);

// Returns "trainer ±3.2 us (0.52 % of 620 us; 1200 pairs in 3 launches, 2026-11-22)", for each of the launch's arms; "" where
// none was measured in its cell here.
std::string resolution_phrase(const std::vector<KnownResolution>& known, const PlannedLaunch& launch);

}  // namespace ddpbench
