#include "harness/measure/block_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "harness/measure/block_order.hpp"
#include "harness/measure/diverged.hpp"
#include "harness/measure/periodic_timer.hpp"
#include "harness/measure/step_counts.hpp"
#include "harness/measure/stop_signal.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/contract/discarded_steps.hpp"

namespace ddpbench {
namespace {

constexpr const char* kStop = "stop";

// An allocator or an autotuner that has not settled after this many rounds never will; each is warmup_steps of every arm.
constexpr int kMostWarmUpRounds = 20;

// Super-blocks whose phases are marked on the device's clock, at the end.
constexpr int kPhaseSuperBlocks = 5;

// "0 2 1 ": the order of arms, as ranks hear of it.
std::string to_payload(const std::vector<std::int64_t>& order) {
  std::string text;
  for (const auto arm : order) text += std::to_string(arm) + " ";
  return text;
}

std::vector<std::int64_t> order_from_payload(const std::string& text, std::size_t arms) {
  std::vector<std::int64_t> order;
  std::istringstream numbers(text);
  for (std::int64_t arm = 0; numbers >> arm;) order.push_back(arm);
  const auto is_arm = [arms](std::int64_t arm) { return arm >= 0 && arm < static_cast<std::int64_t>(arms); };
  const bool is_order = numbers.eof() && !order.empty() && std::all_of(order.begin(), order.end(), is_arm);
  if (!is_order) throw Error("rank 0 tells an order of arms that cannot be read: '" + text + "'");
  return order;
}

// The process numbers of the ranks on this host.
std::vector<pid_t> ranks_here(Agreement& agreement) {
  std::vector<pid_t> ranks;
  for (const auto& who : agreement.all_gather(host_name() + " " + std::to_string(getpid()))) {
    const auto blank = who.find(' ');
    if (who.substr(0, blank) == host_name()) ranks.push_back(static_cast<pid_t>(std::stol(who.substr(blank + 1))));
  }
  return ranks;
}

std::vector<ArmFacts> facts_of(const std::vector<NamedArm>& arms) {
  std::vector<ArmFacts> facts;
  for (const auto& named : arms) facts.push_back(named.facts);
  return facts;
}

}  // namespace

BlockRunner::BlockRunner(Measurement measurement, EventCounter instructions)
    : m_(measurement),
      end_rule_(m_.spec, facts_of(m_.arms), m_.session.accelerator == nullptr ? OverRanks::kMean : OverRanks::kSlowest),
      host_(ranks_here(m_.agreement)),
      recorder_(m_),
      block_(m_, recorder_, std::move(instructions)) {
  report_.steps_s.resize(m_.arms.size());
  report_.waits_s.resize(m_.arms.size(), kNotMeasured);
  std::vector<const char*> names;
  for (const auto& named : m_.arms) names.push_back(named.name.c_str());
  nvtx_register(static_cast<std::uint32_t>(names.size()), names.data());
}

void BlockRunner::warm_up() {
  warm_up_once();
  for (int round = 1; m_.session.accelerator != nullptr && round < kMostWarmUpRounds && !memory_stood_still(); ++round) {
    warm_up_once();
  }
}

// The same answer on all ranks, for every round is collective.
bool BlockRunner::memory_stood_still() {
  const auto reserved = m_.session.accelerator->reserved_bytes();
  const bool still = std::exchange(reserved_bytes_, reserved) == reserved;
  const auto answers = m_.agreement.all_gather(still ? "still" : "grew");
  return std::all_of(answers.begin(), answers.end(), [](const auto& answer) { return answer == "still"; });
}

void BlockRunner::warm_up_once() {
  for (const auto& named : m_.arms) {
    for (std::int64_t i = 0; i < m_.spec.protocol.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    clear_after(*named.arm);
  }
}

// On rank 0: the end, or the order of the next super-block.
std::string BlockRunner::decide(const std::vector<std::string>& payloads, double elapsed_s) {
  if (super_blocks_ > 0) {
    std::vector<SuperBlockReport> reports;
    for (const auto& payload : payloads) reports.push_back(report_from_payload(payload));
    end_rule_.add(reports);
  }
  if (end_rule_.end(elapsed_s) != End::kNotYet) return kStop;
  return to_payload(block_order(facts_of(m_.arms), m_.spec.seed, super_blocks_ + 1));
}

void BlockRunner::run() {
  ProgressLine progress(m_.rank, m_.spec);
  announce_periodic_work(m_.arms, recorder_);
  const auto begin = wall_ns();
  while (true) {
    const auto elapsed_s = seconds(wall_ns() - begin);
    progress.say("measure", super_blocks_, elapsed_s);
    const auto answer = [&](const std::vector<std::string>& payloads) { return decide(payloads, elapsed_s); };
    const auto decision = m_.agreement.from_rank0(to_payload(report_), answer);
    if (decision == kStop) break;
    run_super_block(++super_blocks_, order_from_payload(decision, m_.arms.size()));
  }
  measure_periodic_work(progress, begin);
  m_.writer.flush();
  run_whole_trainings(progress, begin);
  if (m_.session.accelerator != nullptr) measure_device_phases();
  count_what_steps_do(progress, begin);
  add_metrics();
  m_.writer.flush();
}

void BlockRunner::run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order) {
  const auto skipped_before = m_.session.skipped_steps;
  report_.disturbed = false;
  for (std::size_t position = 0; position < order.size(); ++position) {
    run_block({super_block, static_cast<std::int64_t>(position)}, static_cast<std::size_t>(order[position]));
  }
  recorder_.end_super_block(m_.session.skipped_steps != skipped_before);
  if (!why_diverged_.empty()) throw Diverged(why_diverged_);
}

void BlockRunner::run_block(const BlockPlace& place, std::size_t arm) {
  const auto& measured = block_.run(arm, discarded_steps(m_.spec.seed, place.super_block));
  const auto use = host_.since_last();
  report_.disturbed = report_.disturbed || use.disturbed;
  recorder_.add_block(place, arm, measured, use);
  look_for_divergence(place, arm, measured);
  report_steps(arm, measured);
  m_.log.clear();
}

// What is no number stays none: a later step finds what an earlier one did. The super-block is finished first, so that its rows are whole.
void BlockRunner::look_for_divergence(const BlockPlace& place, std::size_t arm, const MeasuredBlock& measured) {
  const bool is_finite = std::isfinite(measured.discarded_loss) && std::isfinite(measured.last_loss);
  if (is_finite || !why_diverged_.empty()) return;
  const auto loss = std::isfinite(measured.discarded_loss) ? measured.last_loss : measured.discarded_loss;
  why_diverged_ = "the training diverged: in super-block " + std::to_string(place.super_block) + " the loss of arm '" +
                  m_.arms[arm].name + "' is " + shortest_text(loss) + " (a smaller learning_rate?)";
}

// Behind steps that are no block: nothing of them is left in flight or in the log.
void BlockRunner::clear_after(Arm& arm) {
  settle(m_.session, arm);
  m_.log.clear();
}

void BlockRunner::measure_device_phases() {
  for (int super_block = 0; super_block < kPhaseSuperBlocks; ++super_block) {
    for (const auto& named : m_.arms) {
      device_phases_.measure(m_.session, named, m_.spec);
      clear_after(*named.arm);
      stop_if_requested();
    }
  }
}

// Arms in turn, so that what drifts hits all alike.
void BlockRunner::measure_periodic_work(ProgressLine& progress, std::int64_t begin_ns) {
  for (int event = 0; event < kPeriodicEvents; ++event) {
    progress.say("events", super_blocks_, seconds(wall_ns() - begin_ns));
    for (const auto& named : m_.arms) {
      if (named.arm->periodic_work().empty()) continue;
      time_periodic_work(named, block_.device_clock(), recorder_);
      clear_after(*named.arm);
      stop_if_requested();
    }
  }
}

void BlockRunner::run_whole_trainings(ProgressLine& progress, std::int64_t begin_ns) {
  for (const auto& named : m_.arms) {
    progress.say("whole_trainings", super_blocks_, seconds(wall_ns() - begin_ns));
    named.arm->run_whole_trainings();
    clear_after(*named.arm);
    stop_if_requested();
  }
}

void BlockRunner::count_what_steps_do(ProgressLine& progress, std::int64_t begin_ns) {
  for (const auto& named : m_.arms) {
    if (named.arm->conditions().ideal_network) continue;  // the step of the same arm without the feature
    progress.say("counts", super_blocks_, seconds(wall_ns() - begin_ns));
    count_steps(m_, named, recorder_);
    clear_after(*named.arm);
    stop_if_requested();
  }
}

// Timed steps of an arm that has timers (of the reference's last block, where it has several), on the clock that the verdict rests on.
void BlockRunner::report_steps(std::size_t arm, const MeasuredBlock& measured) {
  auto& steps_s = report_.steps_s[arm];
  auto& wait_s = report_.waits_s[arm];
  steps_s.clear();
  if (!std::isnan(measured.device_s)) {
    wait_s = measured.device_s / static_cast<double>(m_.spec.protocol.block_steps);
    steps_s.push_back(wait_s);
    return;
  }
  std::vector<double> waits_s;
  for (auto i = static_cast<std::size_t>(measured.discarded); i < measured.steps.size(); ++i) {
    steps_s.push_back(seconds(measured.steps[i].thread_cpu_ns));
    waits_s.push_back(seconds(measured.steps[i].wall_ns));
  }
  wait_s = waits_s.empty() ? kNotMeasured : median(std::move(waits_s));
}

void BlockRunner::add_metrics() {
  device_phases_.add_metrics(recorder_);
  if (m_.rank == 0) {
    recorder_.add_metric("", kMetrics.disturbed_super_blocks, static_cast<double>(end_rule_.disturbed()));
    recorder_.add_metric("", kMetrics.rewarm_steps, static_cast<double>(m_.spec.protocol.rewarm_steps));
  }
  recorder_.add_metrics();
}

}  // namespace ddpbench
