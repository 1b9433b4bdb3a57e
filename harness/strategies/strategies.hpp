#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "harness/api/step_options.hpp"

namespace ddpbench {

// Holds what a strategy is made from.
struct StrategyRequest {
  std::map<std::string, std::string> options;  // all of the strategy's options, checked
  c10::intrusive_ptr<c10d::ProcessGroup> process_group;
};

// Describes one strategy: a line of the table.
struct StrategyFactory : StrategyEntry {
  std::unique_ptr<Strategy> (*make)(const StrategyRequest& request);
};
// Makes `single`: one process, no communication.
std::unique_ptr<Strategy> make_single(const StrategyRequest& request);
// Makes `ddp`, on c10d::Reducer.
std::unique_ptr<Strategy> make_ddp(const StrategyRequest& request);

// Returns the table of strategies.
std::span<const StrategyFactory> strategies();

// Reads `accumulate` and `clip_norm`, which every strategy takes.
StepOptions step_options(const std::map<std::string, std::string>& options);

}  // namespace ddpbench
