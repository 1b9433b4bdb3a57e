#include "harness/launch/launch_training.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "harness/arms/arms.hpp"
#include "harness/arms/step_features.hpp"
#include "harness/launch/worker_vocabulary.hpp"
#include "harness/measure/blocks/first_steps.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/probe/main_core.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// Before the strategy sees the model: gradients and buckets take their tensors' device and layout.
void move_model(Recipe& recipe, at::Device device) {
  recipe.model->to(device);
  if (recipe.memory_format == at::MemoryFormat::Contiguous) return;
  for (auto& parameter : recipe.model->parameters()) {
    if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(recipe.memory_format));
  }
}

}  // namespace

std::vector<ArmFacts> LaunchTraining::meet(Outcome& outcome) {
  launch_.rendezvous();
  launch_.note_facts(outcome);
  launch_.group().wait_at_most(std::max(launch_.hang_timeout(), launch_.first_step_timeout()));  // a peer may compile
  make_session();
  launch_.runtime.meet(launch_.group(), launch_.info, launch_.spec);
  return arm_facts(worker_vocabulary(), launch_.spec.arms);
}

void LaunchTraining::begin(Outcome& outcome) {
  make_arms(meet(outcome));
  for (const auto& arm : arms_) outcome.versions[arm.name] = versions_of(arm.facts);  // of what the arms have loaded
  take_every_first_step();
  bind_main_thread();
  began_ns_ = wall_ns();
}

void LaunchTraining::end() {
  launch_.runtime.close();
  launch_.group().leave();
}

EqualWork LaunchTraining::check_work(Outcome& outcome) {
  launch_.progress.say("check", 0, 0);
  auto result = check_equal_work(*session_, arms_, launch_.group().control_channel());
  for (const auto& [arm, reason] : result.wrong) outcome.arms[arm] = {status::kWrongResult, reason};
  if (!result.wrong.empty()) {
    outcome.status = status::kWrongResult;
    outcome.reason = "equal-work check: arm '" + result.wrong.begin()->first + "': " + result.wrong.begin()->second;
  }
  return result;
}

void LaunchTraining::make_session() {
  auto& spec = launch_.spec;
  auto& group = launch_.group();
  const auto device = group.device();
  torch::manual_seed(static_cast<std::uint64_t>(spec.seed));
  recipe_ = find_entry(workloads(), "workload", spec.workload)
                .recipe({spec.options[OptionGroup::kWorkload], spec.batch_size_per_rank, launch_.info.rank,
                         launch_.info.world_size, spec.seed, spec.data, device});
  if (spec.protocol.rewarm_steps < 0) spec.protocol.rewarm_steps = recipe_.rewarm_steps;
  strategy_ =
      find_entry(strategies(), "strategy", spec.strategy).make({spec.options[OptionGroup::kStrategy], group.process_group()});
  precision_ = find_entry(precisions(), "precision", spec.precision).make({device, spec.options[OptionGroup::kPrecision]});
  move_model(recipe_, device);
  strategy_->set_up(recipe_);
  session_ = std::make_unique<Session>(Session{*strategy_, *precision_, recipe_.loss, *recipe_.batches, timer_, device,
                                               step_options(spec.options[OptionGroup::kStrategy])});
  session_->options.memory_format = recipe_.memory_format;
  session_->accelerator = group.accelerator();
  session_->network = &group.network();
  session_->collectives = &group.collectives();
}

void LaunchTraining::make_arms(std::vector<ArmFacts> all) {
  const auto vocabulary = worker_vocabulary();
  for (auto& facts : all) {
    auto arm = facts.program == kWorkerProgram ? own_arm(vocabulary, facts.name) : hosted_arm(facts);
    arms_.push_back({facts.name, std::move(arm), std::move(facts)});
  }
}

std::unique_ptr<Arm> LaunchTraining::own_arm(const Vocabulary& vocabulary, const std::string& name) {
  const auto& spec = launch_.spec;
  return make_arm(vocabulary, name, *session_, spec.protocol.injected_us, spec.options[OptionGroup::kTrainer]);
}

// A positive control of the runtime's is its reference behind the delay that is the harness's.
std::unique_ptr<Arm> LaunchTraining::hosted_arm(const ArmFacts& facts) {
  const auto values = facts.feature_values();
  auto arm = make_under_options(*session_, values, [&] {
    return launch_.runtime.make_arm({facts, *session_, launch_.spec, recipe_});
  });
  if (facts.role != ArmRole::kPositiveControl) return arm;
  return delay_arm(std::move(arm), {*session_, facts.features, launch_.spec.protocol.injected_us});
}

std::string LaunchTraining::versions_of(const ArmFacts& arm) const {
  std::vector<std::string> versions{std::string("torch=") + TORCH_VERSION};
  for (auto& version : launch_.runtime.versions_of(arm)) versions.push_back(std::move(version));
  return join(versions, ";");
}

// Before any snapshot.
void LaunchTraining::take_every_first_step() {
  launch_.progress.say("first_steps", 0, 0);
  bool is_first = true;
  for (const auto* named : drivers_of_trainings(arms_)) {
    tell_arm(named->name);
    take_first_steps(*session_, *named->arm, [&] {
      if (std::exchange(is_first, false)) note_first_step();
      stop_if_requested();
    });
  }
}

void LaunchTraining::note_first_step() {
  wait_for_device(*session_);
  add_seconds_since("DDPBENCH_STARTED_UNIX_NS", kMetrics.seconds_to_first_step);
  add_seconds_since("DDPBENCH_LAUNCHED_UNIX_NS", kMetrics.seconds_to_first_step_of_launch);
}

void LaunchTraining::add_seconds_since(const char* variable, const Metric& metric) {
  const auto begin = environment_variable(variable);
  if (begin.empty()) return;
  const auto passed = unix_ns() - std::strtoll(begin.c_str(), nullptr, 10);
  if (passed >= 0) launch_.add_metric(metric, seconds(passed));  // else the clock was set back meanwhile
}

}  // namespace ddpbench
