#include <array>

#include "reports/analysis/tables/tables.hpp"

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
    Column<LossRow>{"index", &LossRow::index, "the check's step, or the super-block"},
    Column<LossRow>{"loss", &LossRow::loss, "on rank 0"},
};

}  // namespace

template <>
std::span<const Column<LossRow>> columns<LossRow>() {
  return kLossColumns;
}

namespace {

void add_losses(CsvText<LossRow>& table, const std::string& cell_id, const Launch& launch) {
  for (const auto& arm : launch.samples.arms) {
    for (const auto& point : arm.losses) {
      const auto* source = point.equal_work ? "equal_work" : "training";
      table.add({cell_id, launch.launch_id, arm.arm, source, point.index, point.loss});
    }
  }
}

}  // namespace

ReportTable loss_table() {
  return report_table<LossRow>("tables/loss.csv", "one step of one arm of one launch whose loss was read",
                               [](const Analysed& analysed, auto& table) {
                                 for (const auto& cell : analysed.study.cells) {
                                   for (const auto& launch : cell.launches) add_losses(table, cell.axes.cell_id, launch);
                                 }
                               });
}

}  // namespace ddpbench
