#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/launch/rank_runtime.hpp"
#include "harness/measure/part_writer.hpp"
#include "harness/measure/process/progress_line.hpp"
#include "harness/ranks/rank_group.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// Holds what a rank has in any launch, whatever the launch is for: who it is, the ranks that it has met, its part files.
class RankLaunch {
 public:
  RankLaunch(LaunchSpec given, const RankInfo& info, RankRuntime& runtime);
  RankLaunch(const RankLaunch&) = delete;
  RankLaunch& operator=(const RankLaunch&) = delete;

  LaunchSpec spec;  // a training fills in what was left to its workload
  const RankInfo& info;
  RankRuntime& runtime;
  PartWriter writer;
  ProgressLine progress;

  // Lets the ranks meet (RankGroup::rendezvous, which says what it throws). Collective; before it there is no group.
  void rendezvous();
  RankGroup& group() { return *group_; }
  bool has_group() const { return group_ != nullptr; }

  // Adds the GPU's and the backend's facts. Looking opens every GPU.
  void note_facts(Outcome& outcome) const;

  // Adds a row to the rank's metrics; `arm`: "" where it is the launch's.
  void add_metric(const Metric& metric, double value, const std::string& arm = "");

  std::chrono::milliseconds hang_timeout() const;
  std::chrono::milliseconds first_step_timeout() const;

 private:
  std::unique_ptr<RankGroup> group_;
};

}  // namespace ddpbench
