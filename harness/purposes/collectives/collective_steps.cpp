#include "harness/purposes/collectives/collective_steps.hpp"

#include <algorithm>
#include <utility>

#include "harness/api/workload.hpp"
#include "harness/probe/clock_readings.hpp"
#include "harness/purposes/collectives/collective_rounds.hpp"
#include "harness/ranks/collective_runners.hpp"
#include "harness/strategies/reducer_strategy.hpp"
#include "harness/strategies/strategies.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// Of the launch's workload, on one batch that stays. Weights are the same on all ranks.
Recipe recipe_of(const LaunchSpec& spec, at::Device device) {
  auto options = spec.options[OptionGroup::kWorkload];
  options["data"] = "constant";
  torch::manual_seed(static_cast<std::uint64_t>(spec.seed));
  auto recipe = find_entry(workloads(), "workload", spec.workload)
                    .recipe({options, spec.batch_size_per_rank, /*rank=*/0, spec.world_size(), spec.seed, spec.data, device});
  recipe.model->to(device);
  return recipe;
}

// Buffers of BatchNorm are no gradients: they are not broadcast.
std::map<std::string, std::string> reducer_options_of(const LaunchSpec& spec, const std::string& bucket_cap) {
  auto options = spec.options[OptionGroup::kStrategy];
  options["bucket_cap_mb"] = bucket_cap;
  options["broadcast_buffers"] = "false";
  return options;
}

// Counts elements that differ beyond rounding.
std::int64_t elements_apart(const at::Tensor& gradient, const at::Tensor& right) {
  constexpr double kShare = 1e-3;
  const auto bound = kShare * right.abs().max();
  return ((gradient - right).abs() > bound).sum().item<std::int64_t>();
}

constexpr int kDiscardedTimelines = 2, kTimelines = 9;  // Reducer lays its buckets out anew behind the first step

}  // namespace

// With a group, all-reduce averages its gradients, as in training. All ranks use one batch, so the mean equals a single rank's gradients.
class StepOfWorkload final : public RepeatedStep {
 public:
  StepOfWorkload(Recipe recipe, std::unique_ptr<Strategy> strategy, at::Device device)
      : recipe_(std::move(recipe)), strategy_(std::move(strategy)) {
    strategy_->set_up(recipe_);
    const auto batch = recipe_.batches->next();
    batch_ = {batch.input.to(device), batch.target.to(device)};
  }

  void run() override {
    const at::AutoGradMode with_gradients(true);
    strategy_->zero_grad();
    strategy_->backward(recipe_.loss(strategy_->forward(batch_.input), batch_.target));
    strategy_->finish_gradients();
  }

  void expect(std::vector<at::Tensor> gradients) { expected_ = std::move(gradients); }
  std::vector<at::Tensor> gradients() const {
    std::vector<at::Tensor> gradients;
    for (const auto& parameter : trained_parameters(*recipe_.model)) gradients.push_back(parameter.grad());
    return gradients;
  }

  std::int64_t wrong_elements() override {
    const auto mine = gradients();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) wrong += elements_apart(mine[i], expected_[i]);
    return wrong;
  }

 private:
  Recipe recipe_;
  std::unique_ptr<Strategy> strategy_;
  Batch batch_;
  std::vector<at::Tensor> expected_;
};

// Runs on the launch's group, with an ideal network. Its gradients are only this rank's share, and are not checked.
class StepOnIdealNetwork final : public RepeatedStep {
 public:
  StepOnIdealNetwork(std::shared_ptr<RepeatedStep> step, RankGroup& group) : step_(std::move(step)), group_(group) {}

  void run() override {
    group_.log().clear();
    group_.network().make_ideal(true);
    step_->run();
    group_.network().make_ideal(false);
  }
  std::int64_t wrong_elements() override { return 0; }

  // Returns when Reducer issued each bucket, and the step's end.
  std::vector<FilledBucket> timeline() {
    const auto begin = wall_ns();
    run();
    const auto end = wall_ns();
    std::vector<FilledBucket> buckets;
    auto& log = group_.log();
    for (const auto& record : log.records(0, log.size())) buckets.push_back({seconds(record.issued_ns - begin), record.bytes});
    buckets.push_back({seconds(end - begin), 0});
    return buckets;
  }

 private:
  std::shared_ptr<RepeatedStep> step_;
  RankGroup& group_;
};

CollectiveSteps::CollectiveSteps(RankLaunch& launch, const std::vector<std::unique_ptr<CollectiveRunner>>& runners)
    : launch_(launch), runners_(runners) {}

CollectiveSteps::~CollectiveSteps() = default;

std::vector<std::int64_t> CollectiveSteps::bucket_bytes(const std::string& bucket_cap) {
  return ddpbench::bucket_bytes(weights(), reducer_options_from(reducer_options_of(launch_.spec, bucket_cap)));
}

const std::vector<at::Tensor>& CollectiveSteps::weights() {
  if (weights_.empty()) weights_ = trained_parameters(*recipe_of(launch_.spec, launch_.group().device()).model);
  return weights_;
}

// Takes medians over steps that all ranks run together. On a device, issue times on the host tell nothing.
std::vector<FilledBucket> CollectiveSteps::filled_buckets(const std::string& bucket_cap) {
  if (!launch_.group().device().is_cpu()) return {};
  auto& control_channel = launch_.group().control_channel();
  const auto step = ideal(bucket_cap);
  std::vector<FilledBucket> buckets;
  std::vector<std::vector<double>> times;
  for (int i = 0; i < kDiscardedTimelines + kTimelines; ++i) {
    control_channel.all_gather("step");
    buckets = step->timeline();
    times.resize(buckets.size());
    for (std::size_t k = 0; k < buckets.size() && i >= kDiscardedTimelines; ++k) times[k].push_back(buckets[k].filled_s);
  }
  std::vector<double> mine;
  for (auto& of_bucket : times) mine.push_back(median(std::move(of_bucket)));
  for (auto& bucket : buckets) bucket.filled_s = 0;
  for (const auto& text : control_channel.all_gather(numbers_text(mine))) {
    const auto of_rank = numbers_of(text);
    for (std::size_t k = 0; k < buckets.size(); ++k) buckets[k].filled_s = std::max(buckets[k].filled_s, of_rank.at(k));
  }
  return buckets;
}

std::shared_ptr<RepeatedStep> CollectiveSteps::make_step(std::size_t arm, const std::string& bucket_cap) {
  const auto& name = launch_.spec.arms[arm];
  if (name == kIdealArm) return ideal(bucket_cap);
  if (is_step_arm(name)) return alone(name);
  const auto group = is_backend_arm(name) ? process_group_of(*runners_[arm]) : nullptr;
  if (!group) return nullptr;
  auto step = over_ddp(bucket_cap, group);
  step->expect(expected());
  return step;
}

// Ignores the buckets.
std::shared_ptr<StepOfWorkload> CollectiveSteps::alone(const std::string& arm) {
  auto& step = alone_[arm];
  if (!step) step = step_with(make_single({}));
  return step;
}

std::shared_ptr<StepOnIdealNetwork> CollectiveSteps::ideal(const std::string& bucket_cap) {
  auto& step = ideal_[bucket_cap];
  if (!step) step = std::make_shared<StepOnIdealNetwork>(over_ddp(bucket_cap, launch_.group().process_group()), launch_.group());
  return step;
}

std::shared_ptr<StepOfWorkload> CollectiveSteps::over_ddp(const std::string& bucket_cap,
                                                          const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
  return step_with(make_ddp({reducer_options_of(launch_.spec, bucket_cap), group}));
}

std::shared_ptr<StepOfWorkload> CollectiveSteps::step_with(std::unique_ptr<Strategy> strategy) {
  const auto device = launch_.group().device();
  auto recipe = recipe_of(launch_.spec, device);
  auto parameters = trained_parameters(*recipe.model);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].set_data(weights()[i].detach());
  return std::make_shared<StepOfWorkload>(std::move(recipe), std::move(strategy), device);
}

const std::vector<at::Tensor>& CollectiveSteps::expected() {
  if (!expected_.empty()) return expected_;
  const auto step = alone(kComputeArm);
  step->run();
  for (const auto& gradient : step->gradients()) expected_.push_back(gradient.clone());
  return expected_;
}

}  // namespace ddpbench
