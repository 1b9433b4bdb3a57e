#include "suite/runs/launch_rows.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/profiler.hpp"
#include "suite/contract/status.hpp"
#include "suite/runs/utc_time.hpp"
#include "suite/store/merge_parts.hpp"

namespace ddpbench {
namespace {

void note_outcome(LaunchResult& result, const PlannedLaunch& launch, const LaunchOutcome& ended) {
  result.facts = ended.facts;
  const auto fact = ended.facts.find(kProfiledFact);
  const auto profiled = fact == ended.facts.end() ? std::string() : fact->second;
  for (auto& row : result.runs) {
    const auto own = ended.arms.find(row.arm);
    const auto versions = ended.versions.find(row.arm);
    row.options = launch.options;
    row.versions = versions == ended.versions.end() ? "" : versions->second;
    row.profiled = profiled;
    row.host_list = ended.host_list;
    row.status = own == ended.arms.end() ? ended.status : own->second.first;
    row.reason = own == ended.arms.end() ? ended.reason : own->second.second;
  }
}

}  // namespace

LaunchResult rows_of_launch(const PlannedLaunch& launch, const LaunchSpec& spec, const std::vector<ArmFacts>& arms,
                            LaunchOutcome& ended) {
  try {
    auto result = merge_parts(spec, find_arms(arms, spec.arms));
    note_outcome(result, launch, ended);
    return result;
  } catch (const Error& error) {
    ended.status = status::kFailed;
    ended.reason += (ended.reason.empty() ? "" : "; ") + std::string("its samples cannot be read: ") + error.what();
    return rows_without_samples(launch, ended);
  }
}

LaunchResult rows_without_samples(const PlannedLaunch& launch, const LaunchOutcome& ended) {
  auto spec = launch.spec;
  spec.part_dir = "/nonexistent";  // part files that are not there count as empty
  auto result = merge_parts(spec, std::vector<ArmFacts>(spec.arms.size()));
  note_outcome(result, launch, ended);
  return result;
}

void note_times(LaunchResult& result, std::chrono::system_clock::time_point started, double wall_seconds) {
  for (auto& row : result.runs) {
    row.started_utc = utc_text(started);
    row.wall_s = wall_seconds;
  }
}

}  // namespace ddpbench
