#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

using Row = CollectiveRow;
using Fit = CollectiveFitRow;

const std::array kCollectiveColumns{
    Column<Row>{"nodes", &Row::nodes, "hosts"},
    Column<Row>{"ranks_per_node", &Row::ranks_per_node, "processes per host"},
    Column<Row>{"world_size", &Row::world_size, "ranks"},
    Column<Row>{"collective", &Row::collective,
                "all_reduce, broadcast, all_gather, reduce_scatter, all_to_all or barrier; step: a forward and a backward of the "
                "workload"},
    Column<Row>{"bucket_cap", &Row::bucket_cap, "bucket_cap_mb of a model's bucket sequence, or of a step; empty: one buffer"},
    Column<Row>{"bytes", &Row::bytes, "nccl-tests' size: of the larger buffer; of a sequence its sum", "bytes"},
    Column<Row>{"count", &Row::count, "elements in them"},
    Column<Row>{"messages", &Row::messages, "collectives of one repetition"},
    Column<Row>{"type", &Row::type, "of an element, as nccl-tests calls it"},
    Column<Row>{"redop", &Row::redop, "sum, where something is reduced"},
    Column<Row>{"arm", &Row::arm, "who ran it"},
    Column<Row>{"role", &Row::role,
                "reference, A/A (the reference once more), backend (as training calls it), library (its bare call), limit (a "
                "copy in memory; of a step DDP on an ideal network)"},
    Column<Row>{"reference", &Row::reference, "the arm that it is compared with"},
    Column<Row>{"time_us", &Row::time_us, "of one repetition: mean over ranks, Hodges-Lehmann over rounds", "us",
                "95 % bound (Wilcoxon's; over launches t)"},
    Column<Row>{"algbw_gb_s", &Row::algbw_gb_s, "bytes over time, 10^9 bytes a second", "GB/s"},
    Column<Row>{"busbw_gb_s", &Row::busbw_gb_s,
                "algbw times nccl-tests' factor: all_reduce 2(n-1)/n; all_gather, reduce_scatter, all_to_all (n-1)/n; others 1",
                "GB/s"},
    Column<Row>{"speed", &Row::speed, "the reference's time over the arm's, paired by round"},
    Column<Row>{"beyond_us", &Row::beyond_us, "the arm's time less the reference's, paired by round", "us"},
    Column<Row>{
        "default_over", &Row::default_over,
        "of a bucket sequence or a step: the time with bucket_cap_mb = default over this one's, same arm, paired by round", "",
        "95 % bound, of all other bucket layouts together (Bonferroni)"},
    Column<Row>{
        "predicted_us", &Row::predicted_us,
        "of a bucket sequence: its messages' times by size, added; of a step: each bucket sent when it is full and the one "
        "before it is through, on the timeline of arm ideal, and no less than its CPU time takes on a rank's cores; empty: fewer "
        "than two sizes of all_reduce, or no step",
        "us"},
    Column<Row>{"slowest_us", &Row::slowest_us, "of the rank that took longest: median over rounds", "us"},
    Column<Row>{"p99_us", &Row::p99_us, "99th percentile of single repetitions, largest over ranks; empty: fewer than 299", "us"},
    Column<Row>{"longest_us", &Row::longest_us, "the longest of all repetitions", "us"},
    Column<Row>{"cores", &Row::cores, "CPU time of a rank's whole process over wall time: cores that it keeps busy"},
    Column<Row>{"wrong", &Row::wrong, "elements that were wrong, over all checks; empty: nothing to check"},
    Column<Row>{"rounds", &Row::rounds, "blocks in the estimate"},
    Column<Row>{"calls", &Row::calls, "repetitions of a block"},
    Column<Row>{"launches", &Row::launches, "fresh processes in the estimate"},
};

const std::array kFitColumns{
    Column<Fit>{"nodes", &Fit::nodes, "hosts"},
    Column<Fit>{"ranks_per_node", &Fit::ranks_per_node, "processes per host"},
    Column<Fit>{"world_size", &Fit::world_size, "ranks"},
    Column<Fit>{"collective", &Fit::collective, "whose sizes are fitted"},
    Column<Fit>{"arm", &Fit::arm, "who ran it"},
    Column<Fit>{"alpha_us", &Fit::alpha_us, "time of an empty message: time = alpha + bytes / bandwidth, weighted least squares",
                "us", "95 % bound (t)"},
    Column<Fit>{"bandwidth_gb_s", &Fit::bandwidth_gb_s, "algbw of a long message; empty: the line does not rise", "GB/s",
                "95 % bound; the upper one is empty where there is none"},
    Column<Fit>{"worst_miss_percent", &Fit::worst_miss_percent, "the line less the measured time, where it fails most", "%"},
    Column<Fit>{"worst_miss_bytes", &Fit::worst_miss_bytes, "and at which size that is", "bytes"},
    Column<Fit>{"sizes", &Fit::sizes, "points of the line"},
    Column<Fit>{"reason", &Fit::reason, "why there is no line"},
};

}  // namespace

template <>
std::span<const Column<CollectiveRow>> columns<CollectiveRow>() {
  return kCollectiveColumns;
}
template <>
std::span<const Column<CollectiveFitRow>> columns<CollectiveFitRow>() {
  return kFitColumns;
}

ReportTable collectives_table() {
  return report_table<CollectiveRow>("collectives.csv", "one collective of one size by one arm",
                                     [](const TableInputs& analysed, auto& table) {
                                       for (const auto& row : analysed.findings.collectives) table.add(row);
                                     });
}

ReportTable collective_fits_table() {
  return report_table<CollectiveFitRow>("tables/collective_fits.csv", "the line through the sizes of one collective by one arm",
                                        [](const TableInputs& analysed, auto& table) {
                                          for (const auto& row : analysed.findings.collective_fits) table.add(row);
                                        });
}

}  // namespace ddpbench
