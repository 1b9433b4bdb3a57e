#include <array>

#include "reports/analysis/findings/sizes/training_cost.hpp"
#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

using Training = TrainingCostRow;
const std::array kTrainingColumns{
    Column<Training>{"cell_id", &Training::cell_id, "one combination of every axis except arm"},
    Column<Training>{"arm", &Training::arm, "who drives the step"},
    Column<Training>{"mode", &Training::mode, "strong: same global batch, weak: same batch per rank"},
    Column<Training>{"reference_cell", &Training::reference_cell, "the smallest size of the group"},
    Column<Training>{"world_size", &Training::world_size, "ranks"},
    Column<Training>{"devices", &Training::devices, "that these occupy: GPUs, or shares of a CPU"},
    Column<Training>{"global_batch_size", &Training::global_batch_size, "images of a step over all ranks"},
    Column<Training>{"hours", &Training::hours,
                     "of 90 epochs of 50,000 images at the measured throughput; start and validation not in it", "h",
                     "95 % bound, of the throughput's"},
    Column<Training>{"device_hours", &Training::device_hours, "hours times devices", "h"},
    Column<Training>{"more_device_hours_percent", &Training::more_device_hours_percent,
                     "than the size of the group that needs fewest", "%", "95 % bound, by those of both speed-ups"},
    Column<Training>{"is_faster", &Training::is_faster,
                     "than every smaller size, beyond chance, as scaling.csv has it: 1, else 0"},
    Column<Training>{"is_tested", &Training::is_tested, "whether that was tested: 1, or the reference; 0: too few launches"},
    Column<Training>{"launches", &Training::launches, "fresh processes; of one no bound is known"},
};

}  // namespace

template <>
std::span<const Column<TrainingCostRow>> columns<TrainingCostRow>() {
  return kTrainingColumns;
}

ReportTable training_table() {
  return report_table<TrainingCostRow>("tables/training.csv", "a size at which one arm could train, in one mode",
                                       [](const TableInputs& analysed, auto& table) {
                                         for (const auto& cost : training_cost_rows(analysed.findings.scaling)) table.add(cost);
                                       });
}

}  // namespace ddpbench
