#include <array>

#include "reports/analysis/tables/launch_bins.hpp"
#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {
namespace {

struct LossRow {
  std::string cell_id, launch_id, arm, source;
  std::int64_t index = 0;
  double loss = kNotMeasured;
};

const std::array kLossColumns{
    Column<LossRow>{"cell_id", &LossRow::cell_id, "one combination of every axis except arm"},
    Column<LossRow>{"launch_id", &LossRow::launch_id, "name of the launch"},
    Column<LossRow>{"arm", &LossRow::arm, "who drives the step"},
    Column<LossRow>{"source", &LossRow::source, "equal_work: a step of the equal-work check; training: a discarded step"},
    Column<LossRow>{"index", &LossRow::index,
                    "the check's step, or the super-block; of a bin of neighbours the one in the middle"},
    Column<LossRow>{"loss", &LossRow::loss, "on rank 0; of a bin the median"},
};

}  // namespace

template <>
std::span<const Column<LossRow>> columns<LossRow>() {
  return kLossColumns;
}

namespace {

// The steps of the check are few and stand alone; of training there may be as many as super-blocks.
void add_losses(CsvText<LossRow>& table, const std::string& cell_id, const Launch& launch, std::size_t bins) {
  for (const auto& arm : launch.samples.arms) {
    std::vector<LaunchPoint> training;
    for (const auto& point : arm.losses) {
      if (!point.equal_work) training.push_back({point.index, point.loss});
      if (point.equal_work) table.add({cell_id, launch.launch_id, arm.arm, "equal_work", point.index, point.loss});
    }
    for (const auto& point : binned(training, bins)) {
      table.add({cell_id, launch.launch_id, arm.arm, "training", point.super_block, point.value});
    }
  }
}

}  // namespace

ReportTable loss_table() {
  return report_table<LossRow, true>("tables/loss.csv",
                                     "one step of one arm of one launch whose loss was read, or a bin of neighbours",
                                     [](const Findings& findings, auto& table) {
                                       const auto bins = launch_bins(findings.study);
                                       for (const auto& cell : findings.study.cells) {
                                         for (const auto& launch : cell.launches)
                                           add_losses(table, cell.axes.cell_id, launch, bins);
                                       }
                                     });
}

}  // namespace ddpbench
