#include "harness/measure/blocks/block_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "harness/measure/blocks/block_order.hpp"
#include "harness/measure/blocks/periodic_timer.hpp"
#include "harness/measure/blocks/step_counts.hpp"
#include "harness/measure/checks/diverged.hpp"
#include "harness/measure/process/profiler_window.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

// An allocator or an autotuner that has not settled after this many rounds never will; each is warmup_steps of every arm.
constexpr int kMostWarmUpRounds = 20;

// Super-blocks whose phases are marked on the device's clock, at the end.
constexpr int kPhaseSuperBlocks = 5;

// Parses each rank's answer: "node7 4711".
std::vector<RankIdentity> all_ranks(ControlChannel& control_channel) {
  std::vector<RankIdentity> ranks;
  for (const auto& who : control_channel.all_gather(host_name() + " " + std::to_string(getpid()))) {
    const auto blank = who.find(' ');
    ranks.push_back({who.substr(0, blank), static_cast<pid_t>(std::stol(who.substr(blank + 1)))});
  }
  return ranks;
}

std::vector<pid_t> processes_here(const std::vector<RankIdentity>& ranks) {
  std::vector<pid_t> here;
  for (const auto& rank : ranks) {
    if (rank.host == host_name()) here.push_back(rank.process);
  }
  return here;
}

// For each rank the first rank of its host.
std::vector<std::size_t> hosts_of(const std::vector<RankIdentity>& ranks) {
  std::vector<std::size_t> hosts;
  for (const auto& rank : ranks) {
    const auto first =
        std::find_if(ranks.begin(), ranks.end(), [&](const RankIdentity& other) { return other.host == rank.host; });
    hosts.push_back(static_cast<std::size_t>(first - ranks.begin()));
  }
  return hosts;
}

std::vector<ArmFacts> facts_of(const std::vector<NamedArm>& arms) {
  std::vector<ArmFacts> facts;
  for (const auto& named : arms) facts.push_back(named.facts);
  return facts;
}

}  // namespace

BlockRunner::BlockRunner(Measurement measurement, EventCounter instructions)
    : BlockRunner(measurement, std::move(instructions), all_ranks(measurement.control_channel)) {}

BlockRunner::BlockRunner(Measurement measurement, EventCounter instructions, const std::vector<RankIdentity>& ranks)
    : m_(measurement),
      end_rule_(m_.spec, facts_of(m_.arms)),
      host_(processes_here(ranks)),
      hosts_(hosts_of(ranks)),
      recorder_(m_),
      block_(m_, recorder_, std::move(instructions)) {
  report_.steps_s.resize(m_.arms.size());
  name_ranges(m_);
}

void BlockRunner::warm_up() {
  warm_up_once();
  for (int round = 1; m_.session.accelerator != nullptr && round < kMostWarmUpRounds && !memory_stood_still(); ++round) {
    warm_up_once();
  }
}

// All ranks get the same answer: each round is collective.
bool BlockRunner::memory_stood_still() {
  const auto reserved = m_.session.accelerator->reserved_bytes();
  const bool still = std::exchange(reserved_bytes_, reserved) == reserved;
  const auto answers = m_.control_channel.all_gather(still ? "still" : "grew");
  return std::all_of(answers.begin(), answers.end(), [](const auto& answer) { return answer == "still"; });
}

void BlockRunner::warm_up_once() {
  for (const auto& named : m_.arms) {
    tell_arm(named.name);
    for (std::int64_t i = 0; i < m_.spec.protocol.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    clear_after(*named.arm);
  }
}

// On rank 0: computes the awaited time of each step, then ends the launch or draws the next order.
SuperBlockAnswer BlockRunner::decide(const std::vector<std::string>& payloads, double elapsed_s) {
  SuperBlockAnswer answer;
  if (super_blocks_ > 0) {
    std::vector<SuperBlockReport> reports;
    for (const auto& payload : payloads) reports.push_back(report_from_payload(payload));
    answer.awaited_ns = awaited_of_blocks(reports);
    const bool disturbed = std::any_of(reports.begin(), reports.end(), [](const auto& rank) { return rank.disturbed; });
    end_rule_.add(disturbed, steps_that_count(reports, answer.awaited_ns));
  }
  if (end_rule_.end(elapsed_s) == End::kNotYet)
    answer.next_order = block_order(facts_of(m_.arms), m_.spec.seed, super_blocks_ + 1);
  return answer;
}

// Returns each arm's step times: awaited time where it is known, else the slowest rank's. Of an arm's several blocks the last counts.
std::vector<std::vector<double>> BlockRunner::steps_that_count(const std::vector<SuperBlockReport>& reports,
                                                               const std::vector<std::vector<double>>& awaited_ns) const {
  auto steps_s = slowest_steps_s(reports);
  const auto timed = m_.spec.protocol.block_steps;
  for (std::size_t block = 0; block < awaited_ns.size(); ++block) {
    const auto& of_block_ns = awaited_ns[block];
    if (static_cast<std::int64_t>(of_block_ns.size()) < timed) continue;
    auto& of_arm_s = steps_s.at(static_cast<std::size_t>(order_.at(block)));
    of_arm_s.clear();
    for (auto step = of_block_ns.end() - timed; step != of_block_ns.end(); ++step) of_arm_s.push_back(*step / 1e9);
  }
  return steps_s;
}

std::vector<std::vector<double>> BlockRunner::awaited_of_blocks(const std::vector<SuperBlockReport>& reports) const {
  std::vector<std::vector<double>> awaited_of_blocks_ns;
  for (std::size_t block = 0; block < reports.front().blocks.size(); ++block) {
    std::vector<PathBlock> ranks;
    for (const auto& report : reports) ranks.push_back(report.blocks.at(block));
    awaited_of_blocks_ns.push_back(awaited_ns(ranks, hosts_));
  }
  return awaited_of_blocks_ns;
}

void BlockRunner::run() {
  ProgressLine progress(m_.rank, m_.spec);
  announce_periodic_work(m_.arms, recorder_);
  block_.settle_delays();
  open_profiler_window(m_.session.accelerator);
  const auto begin = wall_ns();
  while (true) {
    const auto elapsed_s = seconds(wall_ns() - begin);
    progress.say("measure", super_blocks_, elapsed_s);
    const auto decided = [&](const std::vector<std::string>& payloads) { return to_payload(decide(payloads, elapsed_s)); };
    const auto answer = answer_from_payload(m_.control_channel.from_rank0(to_payload(report_), decided), m_.arms.size());
    recorder_.end_super_block(answer.awaited_ns);
    if (answer.next_order.empty()) break;
    order_ = answer.next_order;
    run_super_block(++super_blocks_, order_);
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
  report_.blocks.clear();
  for (std::size_t position = 0; position < order.size(); ++position) {
    run_block({super_block, static_cast<std::int64_t>(position)}, static_cast<std::size_t>(order[position]));
  }
  if (m_.session.skipped_steps != skipped_before) recorder_.leave_out_super_block();
  if (why_diverged_.empty()) return;
  recorder_.end_super_block({});
  throw DivergedError(why_diverged_);
}

void BlockRunner::run_block(const BlockPlace& place, std::size_t arm) {
  const auto& measured = block_.run(arm, discarded_steps(m_.spec.seed, place.super_block));
  const auto use = host_.since_last();
  report_.disturbed = report_.disturbed || use.disturbed;
  recorder_.add_block(place, arm, measured, use);
  look_for_divergence(place, arm, measured);
  report_steps(arm, measured);
  report_.blocks.push_back(block_.path());
  m_.log.clear();
}

// A loss that is NaN stays NaN, so a later step still shows it. The super-block is finished first, to keep its rows whole.
void BlockRunner::look_for_divergence(const BlockPlace& place, std::size_t arm, const MeasuredBlock& measured) {
  const bool is_finite = std::isfinite(measured.discarded_loss) && std::isfinite(measured.last_loss);
  if (is_finite || !why_diverged_.empty()) return;
  const auto loss = std::isfinite(measured.discarded_loss) ? measured.last_loss : measured.discarded_loss;
  why_diverged_ = "the training diverged: in super-block " + std::to_string(place.super_block) + " the loss of arm '" +
                  m_.arms[arm].name + "' is " + shortest_text(loss) + " (a smaller learning_rate?)";
}

// After steps outside of blocks: waits for their work and clears the log.
void BlockRunner::clear_after(Arm& arm) {
  quiesce_arm(m_.session, arm);
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
      time_periodic_work(named, block_.device_clock(), m_.log.delays(), recorder_);
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

// Reports an arm's timed steps; of several blocks of the reference, the last one's.
void BlockRunner::report_steps(std::size_t arm, const MeasuredBlock& measured) {
  auto& steps_s = report_.steps_s[arm];
  steps_s.clear();
  if (!std::isnan(measured.device_s)) {
    steps_s.push_back(measured.device_s / static_cast<double>(m_.spec.protocol.block_steps));
    return;
  }
  for (auto i = static_cast<std::size_t>(measured.discarded); i < measured.steps.size(); ++i)
    steps_s.push_back(seconds(measured.steps[i].wall_ns));
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
