#pragma once
#include <memory>
#include <string>
#include <vector>

#include "harness/api/session.hpp"
#include "harness/api/workload.hpp"
#include "harness/arms/arms.hpp"
#include "harness/launch/worker_vocabulary.hpp"
#include "harness/measure/blocks/first_steps.hpp"
#include "harness/measure/checks/equal_work.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/ranks/rank_group.hpp"
#include "harness/strategies/strategies.hpp"
#include "suite/contract/launch/option_values.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {

// The objects of one launch without its files: a workload on constant data under a strategy, as the worker builds them.
struct TinyTraining {
  Recipe recipe;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<Precision> precision;
  StepTimer timer;
  std::unique_ptr<Session> session;

  std::vector<NamedArm> make_arms(const std::vector<std::string>& names) {
    const auto vocabulary = worker_vocabulary();
    std::vector<NamedArm> arms;
    for (const auto& name : names) arms.push_back({name, make_arm(vocabulary, name, *session, 10), arm_facts(vocabulary, name)});
    return arms;
  }
};

struct TinyRequest {
  std::string workload = "null";
  std::string strategy = "single";
  RankGroup* group = nullptr;  // may be null for the strategy `single`
  RankInfo info{};
  std::int64_t batch_size = 2;
  std::string precision = "fp32";
  std::map<std::string, std::string> workload_options{}, strategy_options{};  // where they differ from the defaults
};

inline std::map<std::string, std::string> options_of(const std::vector<OptionEntry>& table,
                                                     const std::map<std::string, std::string>& given) {
  auto values = default_values(table);
  for (const auto& [name, value] : given) values.at(name) = value;
  return values;
}

// Two steps are taken, so that a snapshot knows the optimizer's state.
inline std::unique_ptr<TinyTraining> tiny_training(const TinyRequest& request) {
  auto training = std::make_unique<TinyTraining>();
  at::set_num_threads(1);
  torch::manual_seed(1);
  const auto& workload = find_entry(workloads(), "workload", request.workload);
  auto options = options_of(workload.options, request.workload_options);
  if (request.workload_options.count("data") == 0) options["data"] = "constant";
  if (options.count("stem") > 0) options["stem"] = "imagenet";
  training->recipe = workload.recipe({options, request.batch_size, request.info.rank, request.info.world_size, 1, ""});
  const auto& strategy = find_entry(strategies(), "strategy", request.strategy);
  const auto strategy_options = options_of(strategy.options, request.strategy_options);
  training->strategy = strategy.make({strategy_options, request.group == nullptr ? nullptr : request.group->process_group()});
  training->precision = find_entry(precisions(), "precision", request.precision).make({at::kCPU});
  training->strategy->set_up(training->recipe);
  training->session =
      std::make_unique<Session>(Session{*training->strategy, *training->precision, training->recipe.loss,
                                        *training->recipe.batches, training->timer, at::kCPU, step_options(strategy_options)});
  if (request.group != nullptr) training->session->collectives = &request.group->collectives();
  const auto first = training->make_arms({"raw"});
  take_first_steps(*training->session, *first.front().arm, [] {});
  return training;
}

inline std::unique_ptr<TinyTraining> tiny_training(const std::string& workload, const std::string& strategy, RankGroup* group,
                                                   const RankInfo& info, std::int64_t batch_size = 2) {
  return tiny_training(TinyRequest{workload, strategy, group, info, batch_size});
}

// A ControlChannel of a single rank.
class LoneControlChannel : public ControlChannel {
 public:
  std::string from_rank0(const std::string& mine, const Answer& answer) override { return answer({mine}); }
  std::vector<std::string> all_gather(const std::string& mine) override { return {mine}; }
  void abandon(const std::string& /*reason*/) noexcept override {}
  std::string why_peer_left() noexcept override { return ""; }
  void leave() override {}
};

}  // namespace ddpbench
