#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "harness/api/control_channel.hpp"
#include "harness/measure/checks/equal_work.hpp"
#include "harness/measure/part_writer.hpp"
#include "harness/probe/collective_log.hpp"
#include "suite/contract/launch/launch_spec.hpp"

namespace ddpbench {

// Holds what a launch measures and where its rows go. All of it outlives the runner.
struct Measurement {
  const LaunchSpec& spec;
  std::int64_t rank;
  Session& session;
  std::vector<NamedArm>& arms;
  CollectiveLog& log;
  ControlChannel& control_channel;
  PartWriter& writer;
};

// Returns how many marks of the device a block of any of the launch's arms needs at most.
inline std::size_t most_marks(const Session& session, const LaunchSpec& spec, std::span<const NamedArm> arms) {
  constexpr std::int64_t kPerMicroBatch = 32;  // twice what an arm makes
  auto micro_batches = session.options.accumulate;
  for (const auto& arm : arms) micro_batches = std::max(micro_batches, arm.facts.micro_batches);
  return static_cast<std::size_t>(spec.protocol.block_steps * micro_batches * kPerMicroBatch) + 2;
}

}  // namespace ddpbench
