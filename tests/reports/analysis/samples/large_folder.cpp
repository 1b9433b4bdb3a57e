// Writes a results folder as large as the scale goals of README.md speak of, to time `ddpbench report` on it:
//   large_folder DIR [STEP_ROWS [LAUNCHES [CELLS]]]     default: 10,000,000 rows, 200 launches, 20 cells
// Two ranks, four arms, blocks of 1 + 4 steps. Times are whole nanoseconds, as the harness writes them: at most 7 digits.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/store/results_folder.hpp"
#include "tests/support/recorded_arms.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kRanks = 2, kBlockSteps = 4;
constexpr std::array kArms{"raw", "raw_again", "trainer", "injected"};
constexpr std::array<double, kArms.size()> kCosts_us{0, 0, 5, 100};

double in_seconds(double us) { return std::round(1e3 * us) / 1e9; }

class LargeLaunch {
 public:
  LargeLaunch(std::int64_t number, std::int64_t cells, std::int64_t super_blocks)
      : cell_(number % cells),
        repetition_(number / cells),
        super_blocks_(super_blocks),
        generator_(static_cast<unsigned>(number)) {}

  PlanRow plan_row() const {
    PlanRow row;
    row.cell_id = "null-ddp-gloo-n1r2-fp32-b" + std::to_string(cell_ + 1);
    row.launch_id = row.cell_id + "-r" + std::to_string(repetition_);
    row.workload = "null";
    row.strategy = "ddp";
    row.backend = "gloo";
    row.precision = "fp32";
    row.ranks_per_node = kRanks;
    row.batch_size_per_rank = cell_ + 1;
    row.repetition = repetition_;
    for (const auto* arm : kArms) row.arms += (row.arms.empty() ? "" : " ") + std::string(arm);
    row.status_planned = status::kPlanned;
    return row;
  }

  LaunchResult result() {
    LaunchResult result;
    for (const auto* arm : kArms) result.runs.push_back(run_row(arm));
    for (std::int64_t i = 1; i <= super_blocks_; ++i) {
      add_super_block(result, i);
    }
    for (const auto* metric : {"injected_true_wall_s", "injected_true_thread_cpu_s"}) {
      result.metrics.push_back({plan_row().launch_id, "injected", 0, metric, 1e-4, "s"});
    }
    return result;
  }

 private:
  RunRow run_row(const char* arm) const {
    const auto planned = plan_row();
    RunRow row;
    row.launch_id = planned.launch_id;
    row.cell_id = planned.cell_id;
    row.arm = arm;
    static_cast<Axes&>(row) = static_cast<const Axes&>(planned);
    row.repetition = planned.repetition;
    row.status = status::kOk;
    row.super_blocks = super_blocks_;
    row.steps = super_blocks_ * kBlockSteps;
    return row;
  }

  double noise(double half_width) { return std::uniform_real_distribution(1 - half_width, 1 + half_width)(generator_); }

  // In random order, as the harness runs them: what ran before an arm is looked at too.
  void add_super_block(LaunchResult& result, std::int64_t super_block) {
    std::array<std::size_t, kArms.size()> order{0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), generator_);
    for (const auto arm : order) {
      ++block_;
      add_block(result, super_block, arm);
    }
  }

  void add_block(LaunchResult& result, std::int64_t super_block, std::size_t arm) {
    const double step_us = 5'000 * noise(0.1);
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      StepRow row;
      row.launch_id = plan_row().launch_id;
      row.super_block = super_block;
      row.block = block_;
      row.arm = kArms[arm];
      row.rank = rank;
      for (row.step = 0; row.step <= kBlockSteps; ++row.step) add_step(result, row, step_us * noise(0.01) + kCosts_us[arm]);
      add_block_row(result, row, step_us);
    }
  }

  void add_step(LaunchResult& result, StepRow& row, double step_us) {
    row.discarded = row.step == 0;
    row.step_s = in_seconds(step_us);
    row.thread_cpu_s = in_seconds(0.8 * step_us);
    row.process_cpu_s = in_seconds(0.95 * step_us);
    row.data_s = in_seconds(0.02 * step_us);
    row.h2d_s = 0;
    row.forward_s = in_seconds(0.33 * step_us);
    row.backward_s = in_seconds(0.5 * step_us);
    row.comm_wait_s = in_seconds(0.21 * step_us);
    row.optimizer_s = in_seconds(0.1 * step_us);
    row.wrapper_s = in_seconds(0.01 * step_us);
    row.other_s = in_seconds(0.04 * step_us);
    row.loss = row.discarded ? 2.302585 : kNotMeasured;
    append_csv_row(result.steps_csv, row);
  }

  static void add_block_row(LaunchResult& result, const StepRow& step, double step_us) {
    BlockRow row;
    row.launch_id = step.launch_id;
    row.super_block = step.super_block;
    row.block = step.block;
    row.position = (step.block - 1) % static_cast<std::int64_t>(kArms.size());
    row.arm = step.arm;
    row.rank = step.rank;
    row.wall_s = in_seconds(kBlockSteps * step_us);
    row.thread_cpu_s = in_seconds(kBlockSteps * 0.8 * step_us);
    row.process_cpu_s = in_seconds(kBlockSteps * 0.95 * step_us);
    row.load = 1.25;
    row.steal_s = 0;
    row.foreign_cpu_s = 0.01;
    row.instrumentation = "timers+nvtx";
    append_csv_row(result.blocks_csv, row);
  }

  std::int64_t cell_, repetition_, super_blocks_;
  std::mt19937 generator_;
  std::int64_t block_ = 0;
};

void write_large_folder(const std::string& path, std::int64_t step_rows, std::int64_t launches, std::int64_t cells) {
  const auto super_block_rows = static_cast<std::int64_t>(kArms.size()) * (1 + kBlockSteps) * kRanks;
  const auto super_blocks = step_rows / launches / super_block_rows;
  std::vector<LargeLaunch> all;
  std::vector<PlanRow> plan;
  for (std::int64_t i = 0; i < launches; ++i) plan.push_back(all.emplace_back(i, cells, super_blocks).plan_row());
  auto folder = ResultsFolder::create(path, "name = \"large\"\n", plan, with_arms({{"cores", 2}, {"hostname", "node1"}}));
  for (auto& launch : all) folder.commit(launch.result());
  std::cout << path << ": " << super_blocks * super_block_rows * launches << " step rows\n";
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "large_folder DIR [STEP_ROWS [LAUNCHES [CELLS]]]\n";
    return 2;
  }
  const auto number = [&](int index, std::int64_t fallback) { return index < count ? std::atoll(arguments[index]) : fallback; };
  try {
    ddpbench::write_large_folder(arguments[1], number(2, 10'000'000), number(3, 200), number(4, 20));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
