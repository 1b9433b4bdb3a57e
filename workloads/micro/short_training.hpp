#pragma once
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "harness/api/session.hpp"
#include "harness/strategies/strategies.hpp"
#include "suite/contract/launch/option_values.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {

// Trains a workload on one constant batch of four samples, one thread, as a rank of `group` (any for the strategy `single`); all
// options at their defaults.
class ShortTraining {
 public:
  ShortTraining(const std::string& workload, const std::string& strategy, c10::intrusive_ptr<c10d::ProcessGroup> group) {
    at::set_num_threads(1);
    torch::manual_seed(1);
    const auto& entry = find_entry(workloads(), "workload", workload);
    auto options = default_values(entry.options);
    options["data"] = "constant";
    recipe_ = entry.recipe({options, 4, 0, 1, 1, ""});
    const auto& how = find_entry(strategies(), "strategy", strategy);
    strategy_ = how.make({default_values(how.options), std::move(group)});
    strategy_->set_up(recipe_);
    session_ = std::make_unique<Session>(Session{*strategy_, precision_, recipe_.loss, *recipe_.batches, timer_});
  }

  Session& session() { return *session_; }

 private:
  Recipe recipe_;
  std::unique_ptr<Strategy> strategy_;
  Precision precision_;
  StepTimer timer_;
  std::unique_ptr<Session> session_;
};

}  // namespace ddpbench
