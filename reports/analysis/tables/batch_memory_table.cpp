#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

using Memory = BatchMemoryRow;
const std::array kBatchMemoryColumns{
    Column<Memory>{"cell_id", &Memory::cell_id, "the largest batch that was measured, of cells that differ in the batch alone"},
    Column<Memory>{"where", &Memory::where, "whose memory: device, or node, of which a rank has its share"},
    Column<Memory>{"world_size", &Memory::world_size, "ranks"},
    Column<Memory>{"batch_sizes", &Memory::batch_sizes, "that were measured"},
    Column<Memory>{"batch_size_per_rank", &Memory::batch_size_per_rank, "the largest of them"},
    Column<Memory>{"peak_mib", &Memory::peak_mib, "with it: the most of any rank and launch, all arms of the launch together",
                   "MiB"},
    Column<Memory>{"available_mib", &Memory::available_mib, "to a rank: metrics device_memory_mib, node_memory_mib", "MiB"},
    Column<Memory>{"fixed_mib", &Memory::fixed_mib, "least squares over the batch sizes: without any image", "MiB"},
    Column<Memory>{"mib_per_image", &Memory::mib_per_image, "of the same line; empty: one batch size, or it does not grow",
                   "MiB"},
    Column<Memory>{"largest_batch", &Memory::largest_batch,
                   "per rank that fits, by the line and by what did not fit; 0: not known"},
    Column<Memory>{"did_not_fit", &Memory::did_not_fit, "the smallest batch whose launch ran out of memory; 0: none"},
};

}  // namespace

template <>
std::span<const Column<BatchMemoryRow>> columns<BatchMemoryRow>() {
  return kBatchMemoryColumns;
}

ReportTable batch_memory_table() {
  return report_table<BatchMemoryRow>("tables/batch_memory.csv", "a group of cells that differ in the batch size per rank alone",
                                      [](const TableInputs& analysed, auto& table) {
                                        for (const auto& row : analysed.findings.batch_memory) table.add(row);
                                      });
}

}  // namespace ddpbench
