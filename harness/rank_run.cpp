#include "harness/rank_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "harness/api/kernel_choice.hpp"
#include "harness/arms/arms.hpp"
#include "harness/arms/step_features.hpp"
#include "harness/build_id.hpp"
#include "harness/collectives_of_rank.hpp"
#include "harness/measure/blocks/block_runner.hpp"
#include "harness/measure/blocks/first_steps.hpp"
#include "harness/measure/checks/diverged.hpp"
#include "harness/measure/collectives/node_run.hpp"
#include "harness/measure/process/progress_line.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/measure/process/tensor_memory.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/probe/event_counter.hpp"
#include "harness/probe/main_core.hpp"
#include "harness/probe/resident_memory.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "harness/ranks/rank_group.hpp"
#include "harness/strategies/strategies.hpp"
#include "harness/worker_vocabulary.hpp"
#include "suite/base/environment_rules.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/node_layout.hpp"
#include "suite/base/process_facts.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/processes/counted_event.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/metrics.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Before the strategy sees the model: gradients and buckets take their tensors' device and layout.
void move_model(Recipe& recipe, at::Device device) {
  recipe.model->to(device);
  if (recipe.memory_format == at::MemoryFormat::Contiguous) return;
  for (auto& parameter : recipe.model->parameters()) {
    if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(recipe.memory_format));
  }
}

// The objects of one launch, in the order in which they need each other. One per rank.
class RankRun {
 public:
  RankRun(LaunchSpec spec, const RankInfo& info, RankRuntime& runtime)
      : spec_(std::move(spec)), info_(info), runtime_(runtime), writer_(spec_.part_dir, info.rank), progress_(info.rank, spec_) {}

  // The steps of a launch. Leaves arms that failed the equal-work check in `outcome`.
  void measure(Outcome& outcome) {
    if (spec_.purpose == purpose::kMemory) count_tensor_memory();
    begin(StartUp::kRendezvous);
    rendezvous();
    begin(StartUp::kPreparing);
    if (spec_.purpose == purpose::kNodes) return check_nodes();
    note_gpu(outcome);
    note_backend(outcome);
    if (spec_.purpose == purpose::kCollectives) return measure_ways();
    group_->wait_at_most(std::max(hang_timeout(), first_step_timeout()));  // a peer may compile
    make_training();
    runtime_.meet(*group_, info_, spec_);
    make_arms();
    for (const auto& arm : arms_) outcome.versions[arm.name] = versions_of(arm.facts);
    first_steps();
    if (spec_.purpose == purpose::kMemory) {
      group_->wait_at_most(hang_timeout());
      measure_memory();
    } else if (equal_work(outcome)) {
      warm_up_and_run(outcome);
      for (const auto* named : drivers_of_trainings(arms_)) {
        require_equal_replicas(training_of(*session_, *named->arm), group_->control_channel());
      }
    }
    runtime_.close();
    group_->leave();
  }

  void tell_peers(const std::string& reason) {
    if (group_) group_->control_channel().abandon(reason);
  }
  // Why a peer failed before this rank did; "" where none did.
  std::string why_peer_left() { return group_ ? group_->control_channel().why_peer_left() : ""; }

 private:
  // Tells the driver where a rank stands that has made no step yet.
  static void begin(StartUp stage) { own_heartbeat().start_up.store(stage, std::memory_order_relaxed); }

  static std::chrono::milliseconds milliseconds_of(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
  }
  std::chrono::milliseconds hang_timeout() const { return milliseconds_of(spec_.protocol.hang_timeout_seconds); }
  std::chrono::milliseconds first_step_timeout() const { return milliseconds_of(spec_.protocol.first_step_timeout_seconds); }

  void rendezvous() {
    // First: a NCCL communicator looks at it when it is made.
    KernelChoice{spec_.protocol.deterministic, spec_.protocol.cudnn_benchmark}.apply();
    group_ = RankGroup::rendezvous(info_, spec_.backend, hang_timeout(), spec_.options[OptionGroup::kBackend]);
    device_ = group_->device();
  }

  void check_nodes() {
    progress_.say("nodes", 0, 0);
    run_node_checks(
        {spec_, info_.rank, device_, group_->accelerator(), group_->collectives(), group_->control_channel(), writer_});
    group_->leave();
  }

  void measure_ways() {
    const BackendRequest request{group_->store(), info_, hang_timeout(), device_, {}};
    measure_collectives({spec_, request, *group_, writer_, progress_});
    group_->leave();
  }

  // Among the facts. The memory node beside those of the rank's cores: where a GPU hangs at another one, its copies cross the machine.
  void note_gpu(Outcome& outcome) const {
    if (!device_.is_cuda()) return;  // looking opens every GPU
    outcome.facts.merge(gpu_facts(read_cuda_driver(), cuda_module().libraries(), device_.index()));
    const auto gpus = node_layout({}).gpu_memory;
    const auto index = static_cast<std::size_t>(device_.index());
    if (index < gpus.size() && gpus[index] >= 0) outcome.facts["gpu_memory_node"] = std::to_string(gpus[index]);
  }

  void note_backend(Outcome& outcome) const {
    const auto& backend = find_entry(backends(), "backend", spec_.backend);
    if (backend.facts != nullptr) outcome.facts.merge(backend.facts());
  }

  void make_training() {
    torch::manual_seed(static_cast<std::uint64_t>(spec_.seed));
    recipe_ = find_entry(workloads(), "workload", spec_.workload)
                  .recipe({spec_.options[OptionGroup::kWorkload], spec_.batch_size_per_rank, info_.rank, info_.world_size,
                           spec_.seed, spec_.data, device_});
    if (spec_.protocol.rewarm_steps < 0) spec_.protocol.rewarm_steps = recipe_.rewarm_steps;
    strategy_ = find_entry(strategies(), "strategy", spec_.strategy)
                    .make({spec_.options[OptionGroup::kStrategy], group_->process_group()});
    precision_ = find_entry(precisions(), "precision", spec_.precision).make({device_, spec_.options[OptionGroup::kPrecision]});
    move_model(recipe_, device_);
    strategy_->set_up(recipe_);
    session_ = std::make_unique<Session>(Session{*strategy_, *precision_, recipe_.loss, *recipe_.batches, timer_, device_,
                                                 step_options(spec_.options[OptionGroup::kStrategy])});
    session_->options.memory_format = recipe_.memory_format;
    session_->accelerator = group_->accelerator();
    session_->network = &group_->network();
    session_->collectives = &group_->collectives();
  }

  void make_arms() {
    const auto vocabulary = worker_vocabulary();
    for (const auto& name : spec_.arms) {
      auto facts = arm_facts(vocabulary, name);
      auto arm = facts.program == VocabularyEntry().program ? own_arm(vocabulary, name) : hosted_arm(vocabulary, facts);
      arms_.push_back({name, std::move(arm), std::move(facts)});
    }
  }

  std::unique_ptr<Arm> own_arm(const Vocabulary& vocabulary, const std::string& name) {
    return make_arm(vocabulary, name, *session_, spec_.protocol.injected_us, spec_.options[OptionGroup::kTrainer]);
  }

  // A positive control of the runtime's is its reference behind the delay that is the harness's.
  std::unique_ptr<Arm> hosted_arm(const Vocabulary& vocabulary, const ArmFacts& facts) {
    const auto values = parse_arm_name(vocabulary, facts.name).values;
    auto arm = make_under_options(*session_, values, [&] { return runtime_.make_arm({facts, *session_, spec_, recipe_}); });
    if (facts.role != ArmRole::kPositiveControl) return arm;
    return delay_arm(std::move(arm), {*session_, facts.features, spec_.protocol.injected_us});
  }

  std::string versions_of(const ArmFacts& arm) const {
    std::vector<std::string> versions{std::string("torch=") + TORCH_VERSION};
    for (auto& version : runtime_.versions_of(arm)) versions.push_back(std::move(version));
    return join(versions, ";");
  }

  // Runs every training's, before any snapshot.
  void first_steps() {
    progress_.say("first_steps", 0, 0);
    bool is_first = true;
    for (const auto* named : drivers_of_trainings(arms_)) {
      take_first_steps(*session_, *named->arm, [&] {
        if (std::exchange(is_first, false)) note_first_step();
        stop_if_requested();
      });
    }
    bind_main_thread();
    begin_warmup_ns_ = wall_ns();
  }

  void note_first_step() {
    wait_for_device(*session_);
    add_seconds_since("DDPBENCH_STARTED_UNIX_NS", kMetrics.seconds_to_first_step);
    add_seconds_since("DDPBENCH_LAUNCHED_UNIX_NS", kMetrics.seconds_to_first_step_of_launch);
  }

  void add_seconds_since(const char* variable, const Metric& metric) {
    const auto begin = environment_variable(variable);
    if (begin.empty()) return;
    const auto passed = unix_ns() - std::strtoll(begin.c_str(), nullptr, 10);
    if (passed >= 0) add_metric(metric, seconds(passed));  // else the clock was set back meanwhile
  }

  bool equal_work(Outcome& outcome) {
    progress_.say("check", 0, 0);
    const auto result = check_equal_work(*session_, arms_, group_->control_channel());
    for (const auto& work : result.works) add_check_rows(work);
    for (const auto& [arm, reason] : result.wrong) outcome.arms[arm] = {status::kWrongResult, reason};
    writer_.flush();
    if (result.wrong.empty()) return true;
    outcome.status = status::kWrongResult;
    outcome.reason = "equal-work check: arm '" + result.wrong.begin()->first + "': " + result.wrong.begin()->second;
    return false;
  }

  void add_check_rows(const ArmWork& work) {
    for (std::size_t i = 0; i < work.losses.size(); ++i) {
      StepRow row;
      row.launch_id = spec_.launch_id;
      row.arm = work.arm;
      row.step = static_cast<std::int64_t>(i) + 1;
      row.rank = info_.rank;
      row.discarded = true;
      row.loss = static_cast<double>(work.losses[i]);
      writer_.add(row);
    }
  }

  void warm_up_and_run(Outcome& outcome) {
    group_->log().take_delays(run_delays());
    BlockRunner runner({spec_, info_.rank, *session_, arms_, group_->log(), group_->control_channel(), writer_}, instructions());
    outcome.facts[kCountedEventFact] = runner.counted();
    outcome.facts[kRunDelayFact] = group_->log().delays().words();
    progress_.say("warmup", 0, 0);
    runner.warm_up();
    add_metric(kMetrics.warmup, seconds(wall_ns() - begin_warmup_ns_));
    add_settings();
    group_->wait_at_most(hang_timeout());
    runner.run();
  }

  // A thread that busy-waits executes instructions of no arm.
  EventCounter instructions() const {
    const auto& backend = find_entry(backends(), "backend", spec_.backend);
    if (at::get_num_threads() > 1) return EventCounter("none: the threads of a rank wait for each other in a loop");
    if (backend.waits_in_loop != nullptr && backend.waits_in_loop(spec_.options[OptionGroup::kBackend]))
      return EventCounter("none: backend " + spec_.backend + " waits in a loop");
    return EventCounter::of_steps();
  }

  // A host that only enqueues for a device is not what a step waits for.
  RunDelays run_delays() const {
    if (session_->accelerator != nullptr) return RunDelays("none: the step waits for a device");
    return RunDelays::of_steps();
  }

  // Measures the launch's one arm. The first steps allocate nearly everything; caches grow a little longer.
  void measure_memory() {
    progress_.say("memory", 0, 0);
    const auto& named = arms_.front();
    for (std::int64_t i = 0; i < spec_.protocol.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    quiesce_arm(*session_, *named.arm);
    const auto* accelerator = session_->accelerator;
    const auto tensors = accelerator == nullptr ? peak_host_tensor_bytes() : accelerator->peak_tensor_bytes();
    const auto add = [this, &named](const Metric& metric, double value) {
      writer_.add(MetricRow{spec_.launch_id, named.name, info_.rank, std::string(metric.name), value, std::string(metric.unit)});
    };
    add(kMetrics.arm_peak_memory, largest_resident_mib());
    add(kMetrics.arm_peak_tensors, static_cast<double>(tensors) / kBytesPerMib);
    writer_.flush();
  }

  // Records the settings that LibTorch has for every arm.
  void add_settings() {
    const auto& context = at::globalContext();
    const std::pair<Metric, bool> settings[] = {{kMetrics.deterministic, context.deterministicAlgorithms()},
                                                {kMetrics.cudnn_benchmark, context.benchmarkCuDNN()},
                                                {kMetrics.tf32_matmul, context.allowTF32CuBLAS()},
                                                {kMetrics.tf32_cudnn, context.allowTF32CuDNN()}};
    for (const auto& [metric, on] : settings) add_metric(metric, on ? 1 : 0);
  }

  void add_metric(const Metric& metric, double value) {
    writer_.add(MetricRow{spec_.launch_id, "", info_.rank, std::string(metric.name), value, std::string(metric.unit)});
  }

  LaunchSpec spec_;  // what was left to the workload is filled in
  const RankInfo& info_;
  RankRuntime& runtime_;
  PartWriter writer_;
  ProgressLine progress_;
  StepTimer timer_;
  at::Device device_ = at::kCPU;
  std::unique_ptr<RankGroup> group_;
  Recipe recipe_;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<Precision> precision_;
  std::unique_ptr<Session> session_;
  std::vector<NamedArm> arms_;
  std::int64_t begin_warmup_ns_ = 0;
};

// What may have moved this launch's times, as this rank found it before it began.
std::map<std::string, std::string> launch_facts(const RankRuntime& runtime) {
  auto facts = process_facts();
  facts.merge(steering_variables());
  facts.merge(runtime.facts());
  facts[runtime.build_fact()] = build_id();
  facts["torch"] = TORCH_VERSION;
  facts["cpu_capability"] = at::get_cpu_capability();
  facts["threads_per_rank"] = std::to_string(at::get_num_threads());
  return facts;
}

// Whether a peer ("rank 1: WHY") gives the same reason; its text may be cut.
bool says_the_same(const std::string& reason, const std::string& of_peer) {
  constexpr std::size_t kEnough = 120;
  const auto why = of_peer.find(": ");
  return reason.find(why == std::string::npos ? of_peer : of_peer.substr(why + 2, kEnough)) != std::string::npos;
}

const char* status_after(const std::exception& error) {
  if (dynamic_cast<const DivergedError*>(&error) != nullptr) return status::kWrongResult;
  return stop_requested() ? status::kPartial : status::kFailed;
}

}  // namespace

Outcome run_rank(const LaunchSpec& spec, const RankInfo& info, RankRuntime& runtime) {
  Outcome outcome{status::kOk, "", {}, host_name(), launch_facts(runtime)};
  auto run = std::make_unique<RankRun>(spec, info, runtime);
  try {
    run->measure(outcome);
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    outcome.status = status_after(error);
    outcome.reason = "rank " + std::to_string(info.rank) + ": " + first_line(failure_text(error));
    // The driver may see both ends at once, and takes the lower rank's for the cause.
    if (const auto cause = run->why_peer_left(); !cause.empty() && !says_the_same(outcome.reason, cause))
      outcome.reason += "; before it " + cause;
    run->tell_peers(outcome.reason);
    run.release();  // NOLINT(bugprone-unused-return-value): a backend whose peer died may wait in its destructor for ever
  }
  return outcome;
}

}  // namespace ddpbench
