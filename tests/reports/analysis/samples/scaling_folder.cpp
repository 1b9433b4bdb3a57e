// Writes a results folder of a made-up cluster (tests/reports/analysis/scaling_truth.hpp) at 1, 2, 4, … ranks:
//   scaling_folder DIR [MOST_RANKS [LAUNCHES [SUPER_BLOCKS [SEED]]]]     default: 1024 ranks, 3 launches, 10 super-blocks, seed 1
// What is measured is the device's clock, as on GPUs over NCCL; the same batch on every rank.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/store/results_folder.hpp"
#include "tests/reports/analysis/scaling_truth.hpp"
#include "tests/support/recorded_arms.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kScalingBlockSteps = 4, kBatch = 64;

struct MadeUpArm {
  const char* name;
  double cost_s;
};
constexpr MadeUpArm kScalingArms[] = {{"raw", 0}, {"raw_again", 0}, {"trainer", 150e-6}};

double whole_ns(double seconds) { return std::round(1e9 * seconds) / 1e9; }

class ScalingLaunch {
 public:
  ScalingLaunch(std::int64_t ranks, std::int64_t repetition, std::int64_t super_blocks, std::int64_t seed)
      : ranks_(ranks),
        repetition_(repetition),
        super_blocks_(super_blocks),
        generator_(static_cast<unsigned>(1'000'003 * seed + 1009 * repetition + ranks)) {}

  PlanRow plan_row() const {
    PlanRow row;
    axes(row);
    row.cell_id =
        "resnet50_cifar10-ddp-nccl-n" + std::to_string(row.nodes) + "r" + std::to_string(row.ranks_per_node) + "-fp32-b64";
    row.launch_id = row.cell_id + "-r" + std::to_string(repetition_);
    row.repetition = repetition_;
    for (const auto& arm : kScalingArms) row.arms += (row.arms.empty() ? "" : " ") + std::string(arm.name);
    row.status_planned = status::kPlanned;
    return row;
  }

  LaunchResult result() {
    LaunchResult result;
    const auto planned = plan_row();
    launch_id_ = planned.launch_id;
    for (const auto& arm : kScalingArms) result.runs.push_back(run_row(planned, arm.name));
    const auto factors = test::rank_factors(truth_, ranks_, generator_);
    const double slowest = *std::max_element(factors.begin(), factors.end());
    for (std::int64_t super_block = 1; super_block <= super_blocks_; ++super_block) {
      for (std::size_t arm = 0; arm < std::size(kScalingArms); ++arm) add_block(result, super_block, arm, slowest);
    }
    return result;
  }

 private:
  void axes(Axes& axes) const {
    axes.workload = "resnet50_cifar10";
    axes.strategy = "ddp";
    axes.backend = "nccl";
    axes.precision = "fp32";
    axes.nodes = truth_.nodes(ranks_);
    axes.ranks_per_node = ranks_ / axes.nodes;
    axes.batch_size_per_rank = kBatch;
  }

  RunRow run_row(const PlanRow& planned, const char* arm) const {
    RunRow row;
    row.launch_id = planned.launch_id;
    row.cell_id = planned.cell_id;
    row.arm = arm;
    axes(row);
    row.repetition = repetition_;
    row.status = status::kOk;
    row.started_utc = "2026-01-0" + std::to_string(repetition_ + 1) + "T00:00:00Z";
    row.wall_s = 60;
    for (std::int64_t node = 1; node <= row.nodes; ++node) row.host_list += (node == 1 ? "n" : " n") + std::to_string(node);
    row.super_blocks = super_blocks_;
    row.steps = super_blocks_ * kScalingBlockSteps;
    return row;
  }

  void add_block(LaunchResult& result, std::int64_t super_block, std::size_t arm, double slowest) {
    ++block_;
    std::normal_distribution<double> scatter(0, truth_.step_scatter / 2);  // of the mean of four steps
    const double compute_s = truth_.compute_s() * slowest * std::exp(scatter(generator_));
    const double device_s = compute_s + truth_.exposed_s(ranks_) + kScalingArms[arm].cost_s;
    for (std::int64_t rank = 0; rank < ranks_; ++rank) {
      BlockRow block;
      block.launch_id = launch_id_;
      block.super_block = super_block;
      block.block = block_;
      block.position = static_cast<std::int64_t>(arm);
      block.arm = kScalingArms[arm].name;
      block.rank = rank;
      block.device_s = whole_ns(kScalingBlockSteps * device_s);
      block.wall_s = block.device_s;
      block.thread_cpu_s = whole_ns(kScalingBlockSteps * (0.004 + kScalingArms[arm].cost_s));
      block.process_cpu_s = block.thread_cpu_s;
      block.load = 1;
      block.steal_s = block.foreign_cpu_s = 0;
      block.instrumentation = "timers+events";
      append_csv_row(result.blocks_csv, block);
      for (std::int64_t step = 0; step <= kScalingBlockSteps; ++step) add_step(result, block, step);
    }
  }

  static void add_step(LaunchResult& result, const BlockRow& block, std::int64_t step) {
    StepRow row;
    row.launch_id = block.launch_id;
    row.super_block = block.super_block;
    row.block = block.block;
    row.arm = block.arm;
    row.rank = block.rank;
    row.step = step;
    row.discarded = step == 0;
    row.step_s = whole_ns(block.wall_s / kScalingBlockSteps);
    row.thread_cpu_s = whole_ns(block.thread_cpu_s / kScalingBlockSteps);
    row.data_s = row.h2d_s = row.wrapper_s = 0;
    row.forward_s = whole_ns(0.3 * row.step_s);
    row.backward_s = whole_ns(0.6 * row.step_s);
    row.optimizer_s = whole_ns(row.step_s - row.forward_s - row.backward_s);
    row.other_s = 0;
    row.comm_wait_s = 0;
    if (row.discarded) row.loss = 2.3;
    append_csv_row(result.steps_csv, row);
  }

  test::ScalingTruth truth_;
  std::int64_t ranks_, repetition_, super_blocks_;
  std::mt19937 generator_;
  std::string launch_id_;
  std::int64_t block_ = 0;
};

struct ScalingStudy {
  std::int64_t most_ranks, launches, super_blocks, seed;
};

void write_scaling_folder(const std::string& path, const ScalingStudy& study) {
  std::vector<ScalingLaunch> all;
  std::vector<PlanRow> plan;
  for (std::int64_t repetition = 0; repetition < study.launches; ++repetition) {
    for (std::int64_t ranks = 1; ranks <= study.most_ranks; ranks *= 2)
      plan.push_back(all.emplace_back(ranks, repetition, study.super_blocks, study.seed).plan_row());
  }
  auto folder = ResultsFolder::create(path, "name = \"made_up\"\n[protocol]\nblock_steps = 4\n", plan,
                                      with_arms({{"cores", 64}, {"hostname", "n1"}, {"data_origin", "generated"}}));
  for (auto& launch : all) folder.commit(launch.result());
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "scaling_folder DIR [MOST_RANKS [LAUNCHES [SUPER_BLOCKS [SEED]]]]\n";
    return 2;
  }
  const auto number = [&](int index, std::int64_t fallback) { return index < count ? std::atoll(arguments[index]) : fallback; };
  try {
    ddpbench::write_scaling_folder(arguments[1], {number(2, 1024), number(3, 3), number(4, 10), number(5, 1)});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
