#pragma once
#include <vector>

#include "harness/api/agreement.hpp"
#include "harness/measure/equal_work.hpp"
#include "harness/measure/part_writer.hpp"
#include "harness/probe/collective_log.hpp"
#include "suite/contract/launch_spec.hpp"

namespace ddpbench {

// What a launch measures and where its rows go. All of it outlives the runner.
struct Measurement {
  const LaunchSpec& spec;
  std::int64_t rank;
  Session& session;
  std::vector<NamedArm>& arms;
  CollectiveLog& log;
  Agreement& agreement;
  PartWriter& writer;
};

}  // namespace ddpbench
