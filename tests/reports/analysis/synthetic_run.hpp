#pragma once
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/store/results_folder.hpp"
#include "tests/support/recorded_arms.hpp"

namespace ddpbench {

// A launch whose every step is known: wall is `step_us` (times noise), thread CPU 0.8 of it, process CPU 0.9; an arm's cost is
// added to all three on every rank. Rank 1 is 1 % slower than rank 0, and its wall is what both await.
struct SyntheticLaunch {
  std::string launch_id = "L0001";
  std::string cell_id = "C1";
  std::string workload = "null";
  std::string options;
  std::int64_t repetition = 0;
  std::vector<std::pair<std::string, double>> arms{
      {"raw", 0}, {"raw_again", 0}, {"trainer", 5}, {"injected", 100}};  // name, cost in us
  double step_us = 100;
  double device_us = kNotMeasured;  // of the step on the device's clock; the host only enqueues then
  double noise = 0;                 // half-width of the uniform log noise of a block
  std::int64_t super_blocks = 40;
  std::int64_t disturbed = 0;            // super-blocks from the first one
  double throttled_s = 0, stolen_s = 0;  // in each block of these; else other programs took cores
  std::int64_t block_steps = 4;
  std::string status = status::kOk;
  std::string reason;
  std::string started_utc = "2026-01-01T00:00:00Z";
  std::string versions = "torch=2.11.0";
  std::string profiled;
  std::map<std::string, double> delays_of_threads_us;          // by arm: time without a core, on the wall clock alone
  bool knows_awaited = true;                                   // false: as beside a device, or without schedstat
  std::string without_steps;                                   // an arm whose steps were not stamped
  std::map<std::string, double> delays_us{{"injected", 100}};  // of positive controls, as they measured them in place
  std::map<std::string, double> sleeps_us;  // by arm, beside its cost: on wall and awaited, and on no CPU clock
  std::map<std::string, double> waits_us;   // by arm, in collectives, beyond a fifth of the step; part of its cost on wall
  // Arm -> events of its work "log" of every 50th step, us; on thread CPU half of each, and rank 0 takes half of rank 1.
  std::map<std::string, std::vector<double>> events_us;
  std::map<std::string, double>
      instructions;  // of a step, by arm; they scatter by a hundred-thousandth. Without an arm: not counted
  std::map<std::pair<std::string, std::string>, double> metrics;  // others, by arm and name; the same on all ranks
};

class SyntheticRun {
 public:
  explicit SyntheticRun(SyntheticLaunch launch)
      : launch_(std::move(launch)), generator_(std::hash<std::string>()(launch_.launch_id) % 1000) {}

  PlanRow plan_row() const {
    PlanRow row;
    row.launch_id = launch_.launch_id;
    row.cell_id = launch_.cell_id;
    row.workload = launch_.workload;
    row.strategy = "ddp";
    row.backend = "gloo";
    row.precision = "fp32";
    row.ranks_per_node = kRanks;
    row.batch_size_per_rank = 8;
    row.repetition = launch_.repetition;
    row.options = launch_.options;
    for (const auto& [arm, cost_us] : launch_.arms) row.arms += (row.arms.empty() ? "" : " ") + arm;
    row.status_planned = status::kPlanned;
    return row;
  }

  LaunchResult result() {
    LaunchResult result;
    for (const auto& [arm, cost_us] : launch_.arms) result.runs.push_back(run_row(arm));
    for (std::int64_t i = 1; i <= launch_.super_blocks; ++i) {
      for (std::size_t arm = 0; arm < launch_.arms.size(); ++arm) add_block(result, i, arm);
    }
    for (std::int64_t rank = 0; rank < kRanks; ++rank) add_metrics(result, rank);
    return result;
  }

  static constexpr std::int64_t kRanks = 2;

 private:
  double next_factor() {
    const double uniform = static_cast<double>(generator_()) / static_cast<double>(std::mt19937::max());
    return std::exp(launch_.noise * (2 * uniform - 1));
  }

  RunRow run_row(const std::string& arm) const {
    RunRow row;
    row.launch_id = launch_.launch_id;
    row.cell_id = launch_.cell_id;
    row.arm = arm;
    row.workload = launch_.workload;
    row.ranks_per_node = kRanks;
    row.repetition = launch_.repetition;
    row.status = launch_.status;
    row.reason = launch_.reason;
    row.host_list = "node1";
    row.versions = launch_.versions;
    row.profiled = launch_.profiled;
    row.started_utc = launch_.started_utc;
    row.super_blocks = launch_.super_blocks;
    row.steps = launch_.super_blocks * launch_.block_steps;
    return row;
  }

  void add_block(LaunchResult& result, std::int64_t super_block, std::size_t arm) {
    const double factor = next_factor();
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      const double step_us = launch_.step_us * factor * (rank == 1 ? 1.0 : 0.99);
      const bool stamped = launch_.arms[arm].first != launch_.without_steps;
      for (std::int64_t step = 0; stamped && step <= launch_.block_steps; ++step) {
        append_csv_row(result.steps_csv, step_row({super_block, step, rank, arm, step_us, launch_.step_us * factor}));
      }
      BlockRow block;
      block.launch_id = launch_.launch_id;
      block.super_block = super_block;
      block.position = static_cast<std::int64_t>(arm);
      block.arm = launch_.arms[arm].first;
      block.rank = rank;
      const auto steps = static_cast<double>(launch_.block_steps);
      const double cost_us = launch_.arms[arm].second;
      const double slept_us = sleep_of(block.arm);
      block.wall_s = 1e-6 * (step_us + cost_us + slept_us) * steps;
      block.thread_cpu_s = 1e-6 * (0.8 * step_us + cost_us) * steps;
      block.process_cpu_s = 1e-6 * (0.9 * step_us + cost_us) * steps;
      block.device_s = 1e-6 * (launch_.device_us * factor + cost_us) * steps;
      if (const auto counted = launch_.instructions.find(block.arm); counted != launch_.instructions.end())
        block.instructions = counted->second * steps * (1 + 1e-5 * (factor - 1));
      if (launch_.knows_awaited && stamped) block.awaited_s = 1e-6 * (launch_.step_us * factor + cost_us + slept_us) * steps;
      block.disturbed = super_block <= launch_.disturbed;
      block.load = 1.5;
      block.steal_s = block.disturbed ? launch_.stolen_s : 0.0;
      block.throttled_s = block.disturbed ? launch_.throttled_s : 0.0;
      block.foreign_cpu_s = block.disturbed ? 1e-3 : 0.0;
      append_csv_row(result.blocks_csv, block);
    }
  }

  double sleep_of(const std::string& arm) const {
    const auto found = launch_.sleeps_us.find(arm);
    return found == launch_.sleeps_us.end() ? 0 : found->second;
  }

  struct Place {
    std::int64_t super_block, step, rank;
    std::size_t arm;
    double step_us, slowest_us;
  };
  // No step takes as long as another, as by every clock that tells steps apart; a block's median and mean are as they would be.
  double apart(const Place& at) const {
    if (at.step == 0) return 0;
    const auto block = static_cast<double>(at.super_block) + 0.01 * static_cast<double>(at.arm);
    return 1e-7 * launch_.step_us * (1 + 0.001 * block) *
           (static_cast<double>(at.step) - 0.5 * static_cast<double>(launch_.block_steps + 1));
  }

  StepRow step_row(const Place& at) const {
    const auto& [arm, cost_us] = launch_.arms[at.arm];
    StepRow row;
    row.launch_id = launch_.launch_id;
    row.super_block = at.super_block;
    row.arm = arm;
    row.step = at.step;
    row.rank = at.rank;
    row.discarded = at.step == 0;
    const double discarded_us = row.discarded ? 1000 : 0;  // would be seen in every estimate
    const auto without_core = launch_.delays_of_threads_us.find(arm);
    const double delay_us = without_core == launch_.delays_of_threads_us.end() ? 0 : without_core->second;
    const double apart_us = apart(at);
    row.step_s = 1e-6 * (at.step_us + apart_us + cost_us + sleep_of(arm) + delay_us + discarded_us);
    row.thread_cpu_s = 1e-6 * (0.8 * at.step_us + apart_us + cost_us + discarded_us);
    if (launch_.knows_awaited) row.awaited_s = 1e-6 * (at.slowest_us + apart_us + cost_us + sleep_of(arm) + discarded_us);
    row.data_s = 0.1 * row.step_s;
    row.forward_s = 0.3 * row.step_s;
    row.backward_s = 0.4 * row.step_s;
    const auto wait = launch_.waits_us.find(arm);
    row.comm_wait_s = 0.2e-6 * (at.step_us + discarded_us) + 1e-6 * (wait == launch_.waits_us.end() ? 0 : wait->second);
    row.optimizer_s = 0.1 * row.step_s;
    row.wrapper_s = 1e-6 * cost_us;
    row.other_s = 0.1 * row.step_s - row.wrapper_s;
    if (row.discarded) row.loss = 2.0 / static_cast<double>(at.super_block);
    return row;
  }

  void add_metrics(LaunchResult& result, std::int64_t rank) const {
    for (const auto& [of, value] : launch_.metrics)
      result.metrics.push_back({launch_.launch_id, of.first, rank, of.second, value, "1"});
    for (const auto& [arm, cost_us] : launch_.arms) {
      add_events(result, arm, rank);
      const auto delay = launch_.delays_us.find(arm);
      if (delay == launch_.delays_us.end()) continue;
      result.metrics.push_back({launch_.launch_id, arm, rank, "injected_true_wall_s", 1e-6 * delay->second, "s"});
      result.metrics.push_back({launch_.launch_id, arm, rank, "injected_true_thread_cpu_s", 1e-6 * delay->second, "s"});
      result.metrics.push_back({launch_.launch_id, arm, rank, "injected_true_own_s", 1e-6 * delay->second, "s"});
    }
  }

  void add_events(LaunchResult& result, const std::string& arm, std::int64_t rank) const {
    const auto found = launch_.events_us.find(arm);
    if (found == launch_.events_us.end()) return;
    const double share = rank == 1 ? 1.0 : 0.5;
    for (const double us : found->second) {
      result.metrics.push_back({launch_.launch_id, arm, rank, "periodic_wall_s.log", 1e-6 * share * us, "s"});
      result.metrics.push_back({launch_.launch_id, arm, rank, "periodic_thread_cpu_s.log", 0.5e-6 * share * us, "s"});
      result.metrics.push_back({launch_.launch_id, arm, rank, "periodic_own_s.log", 1e-6 * share * us, "s"});
    }
    result.metrics.push_back({launch_.launch_id, arm, rank, "periodic_every.log", 50, "1"});
  }

  SyntheticLaunch launch_;
  std::mt19937 generator_;
};

// A results folder with these launches committed; those of status "planned" stand in the plan only. `protocol`: further lines of it.
inline ResultsFolder synthetic_folder(const std::string& path, const std::vector<SyntheticLaunch>& launches,
                                      const nlohmann::ordered_json& environment = {{"cores", 2}, {"data_origin", "generated"}},
                                      const std::string& protocol = "") {
  std::vector<PlanRow> plan;
  for (const auto& launch : launches) plan.push_back(SyntheticRun(launch).plan_row());
  auto folder = ResultsFolder::create(
      path, "name = \"synthetic\"\n[protocol]\nmargin_percent = 0.5\nmargin_us = 2\nblock_steps = 4\n" + protocol, plan,
      with_arms(environment));
  for (const auto& launch : launches) {
    if (launch.status != status::kPlanned) folder.commit(SyntheticRun(launch).result());
  }
  return folder;
}

}  // namespace ddpbench
