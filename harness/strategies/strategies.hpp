#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "harness/api/step_options.hpp"

namespace ddpbench {

struct StrategyRequest {
  std::map<std::string, std::string> options;  // all of the strategy's options, checked
  c10::intrusive_ptr<c10d::ProcessGroup> process_group;
};

// One line of the table of strategies.
struct StrategyEntry {
  std::string name;
  std::string help;
  std::int64_t max_world_size;  // 0: no bound
  std::vector<OptionEntry> options;
  std::unique_ptr<Strategy> (*make)(const StrategyRequest& request);
};
std::span<const StrategyEntry> strategies();

// `accumulate` and `clip_norm`, which every strategy takes.
StepOptions step_options(const std::map<std::string, std::string>& options);

}  // namespace ddpbench
