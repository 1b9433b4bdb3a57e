#include "suite/contract/tables/schema.hpp"

#include <string_view>
#include <vector>

#include "suite/contract/tables/axis_columns.hpp"

namespace ddpbench {
namespace {

const std::array kPlanColumns{
    Column<PlanRow>{"launch_id", &PlanRow::launch_id, "name of the launch"},
    Column<PlanRow>{"cell_id", &PlanRow::cell_id, "one combination of every axis except arm"},
    Column<PlanRow>{"options", &PlanRow::options, "workload, strategy and protocol options, name=value;…"},
    Column<PlanRow>{"arms", &PlanRow::arms, "the arms of the launch, separated by blanks"},
    Column<PlanRow>{"repetition", &PlanRow::repetition, "which launch of its cell, from 0"},
    Column<PlanRow>{"seed", &PlanRow::seed, "of the launch"},
    Column<PlanRow>{"status_planned", &PlanRow::status_planned, "planned or skipped"},
    Column<PlanRow>{"skip_reason", &PlanRow::skip_reason, "why it cannot run here"},
    Column<PlanRow>{"command", &PlanRow::command, "what starts the launch; can be pasted into a shell"},
};

const std::array kRunColumns{
    Column<RunRow>{"launch_id", &RunRow::launch_id, "name of the launch"},
    Column<RunRow>{"cell_id", &RunRow::cell_id, "one combination of every axis except arm"},
    Column<RunRow>{"arm", &RunRow::arm, "who drives the step"},
    Column<RunRow>{"options", &RunRow::options, "workload, strategy and protocol options, name=value;…"},
    Column<RunRow>{"repetition", &RunRow::repetition, "which launch of its cell, from 0"},
    Column<RunRow>{"status", &RunRow::status, "ok, skipped, failed, wrong_result or partial"},
    Column<RunRow>{"reason", &RunRow::reason, "why the status is not ok"},
    Column<RunRow>{"host_list", &RunRow::host_list, "machines, separated by blanks"},
    Column<RunRow>{"started_utc", &RunRow::started_utc, "ISO 8601"},
    Column<RunRow>{"wall_s", &RunRow::wall_s, "whole launch, from start of the processes to their end", "s"},
    Column<RunRow>{"super_blocks", &RunRow::super_blocks, "committed on all ranks"},
    Column<RunRow>{"steps", &RunRow::steps, "timed steps of this arm"},
    Column<RunRow>{"samples_per_s", &RunRow::samples_per_s, "global batch over the median step time (slowest rank)", "samples/s"},
    Column<RunRow>{"step_ms_p50", &RunRow::step_ms_p50, "median step time, slowest rank of each step", "ms"},
    Column<RunRow>{"thread_cpu_ms_p50", &RunRow::thread_cpu_ms_p50, "median main-thread CPU per step, largest rank of each step",
                   "ms"},
    Column<RunRow>{"peak_memory_mib", &RunRow::peak_memory_mib, "largest resident set over ranks, whole launch", "MiB"},
    Column<RunRow>{"loss_first", &RunRow::loss_first, "rank 0, the arm's first step 0"},
    Column<RunRow>{"loss_last", &RunRow::loss_last, "rank 0, the arm's last step 0"},
    Column<RunRow>{"steps_bytes", &RunRow::steps_bytes, "compressed length of the launch's member of steps.csv.gz", "bytes"},
    Column<RunRow>{"blocks_bytes", &RunRow::blocks_bytes, "compressed length of the launch's member of blocks.csv.gz", "bytes"},
    Column<RunRow>{"attempt", &RunRow::attempt, "which attempt of the launch the row is of, from 1; earlier ones are gone"},
    Column<RunRow>{"versions", &RunRow::versions, "what the arm ran on, name=version;…"},
    Column<RunRow>{"profiled", &RunRow::profiled,
                   "the profiler from outside that the launch ran under (nsys, kineto, …): its times include what that records; "
                   "empty: none"},
};

const std::array kStepColumns{
    Column<StepRow>{"launch_id", &StepRow::launch_id, "name of the launch"},
    Column<StepRow>{"super_block", &StepRow::super_block, "from 1; 0 is the equal-work check"},
    Column<StepRow>{"block", &StepRow::block, "from 1, over the whole launch"},
    Column<StepRow>{"arm", &StepRow::arm, "who drove the step"},
    Column<StepRow>{"step", &StepRow::step, "within the block, from 1; 0 and below: discarded, one to three by draw"},
    Column<StepRow>{"rank", &StepRow::rank, "global rank"},
    Column<StepRow>{
        "discarded", &StepRow::discarded,
        "1: the switch between arms, or a step of a super-block in which the scaler left an update out; kept and never used"},
    Column<StepRow>{"step_s", &StepRow::step_s, "wall, steady clock", "s"},
    Column<StepRow>{"thread_cpu_s", &StepRow::thread_cpu_s, "CPU time of the rank's main thread", "s"},
    Column<StepRow>{"process_cpu_s", &StepRow::process_cpu_s,
                    "CPU time of all of the rank's threads; empty: it is read once a block (blocks.csv.gz)", "s"},
    Column<StepRow>{"data_s", &StepRow::data_s, "wall in the phase", "s"},
    Column<StepRow>{"h2d_s", &StepRow::h2d_s, "wall in the phase", "s"},
    Column<StepRow>{"forward_s", &StepRow::forward_s, "wall in the phase", "s"},
    Column<StepRow>{"backward_s", &StepRow::backward_s, "wall in the phase", "s"},
    Column<StepRow>{"comm_wait_s", &StepRow::comm_wait_s, "blocked in collectives, inside the phases", "s"},
    Column<StepRow>{"optimizer_s", &StepRow::optimizer_s, "wall in the phase", "s"},
    Column<StepRow>{"wrapper_s", &StepRow::wrapper_s, "wall in the arm's own loop, outside the other phases", "s"},
    Column<StepRow>{"other_s", &StepRow::other_s, "the rest of the step", "s"},
    Column<StepRow>{"loss", &StepRow::loss, "read on step 0 and in the equal-work check only"},
    Column<StepRow>{"awaited_s", &StepRow::awaited_s,
                    "what all ranks together wait for if nobody keeps them from a core; the same on every rank", "s"},
    Column<StepRow>{"run_delay_s", &StepRow::run_delay_s, "the main thread could run and had no core", "s"},
};

const std::array kBlockColumns{
    Column<BlockRow>{"launch_id", &BlockRow::launch_id, "name of the launch"},
    Column<BlockRow>{"super_block", &BlockRow::super_block, "from 1"},
    Column<BlockRow>{"block", &BlockRow::block, "from 1, over the whole launch"},
    Column<BlockRow>{"position", &BlockRow::position, "within the super-block's random order, from 0"},
    Column<BlockRow>{"arm", &BlockRow::arm, "who drove the steps"},
    Column<BlockRow>{"rank", &BlockRow::rank, "global rank"},
    Column<BlockRow>{"wall_s", &BlockRow::wall_s, "all timed steps of the block", "s"},
    Column<BlockRow>{"device_s", &BlockRow::device_s, "the same on the device's clock", "s"},
    Column<BlockRow>{"thread_cpu_s", &BlockRow::thread_cpu_s, "CPU time of the main thread", "s"},
    Column<BlockRow>{"process_cpu_s", &BlockRow::process_cpu_s, "CPU time of all threads of the rank", "s"},
    Column<BlockRow>{"load", &BlockRow::load, "one-minute load average of the host at the block's end"},
    Column<BlockRow>{"steal_s", &BlockRow::steal_s, "CPU time that the hypervisor took since the block before, all cores", "s"},
    Column<BlockRow>{"foreign_cpu_s", &BlockRow::foreign_cpu_s,
                     "CPU time of the host outside its ranks since the block before, all cores; in steps of 10 ms", "s"},
    Column<BlockRow>{"disturbed", &BlockRow::disturbed,
                     "1: throttled, or more than 2 % of a core stolen or 10 % of all cores foreign in the half second up to "
                     "its end; kept, counted, and repeated"},
    Column<BlockRow>{"instrumentation", &BlockRow::instrumentation, "what was switched on: off, or timers, nvtx, events with +"},
    Column<BlockRow>{"throttled_s", &BlockRow::throttled_s, "time for which the control group was held back", "s"},
    Column<BlockRow>{
        "instructions", &BlockRow::instructions,
        "of the main thread and autograd's in user space; empty where nothing counts them (fact `instruction_counter`)"},
    Column<BlockRow>{"awaited_s", &BlockRow::awaited_s,
                     "what all ranks together wait for if nobody keeps them from a core; the same on every rank", "s"},
    Column<BlockRow>{"run_delay_s", &BlockRow::run_delay_s, "the main thread could run and had no core", "s"},
};

const std::array kMetricColumns{
    Column<MetricRow>{"launch_id", &MetricRow::launch_id, "name of the launch"},
    Column<MetricRow>{"arm", &MetricRow::arm, "empty: of the whole rank"},
    Column<MetricRow>{"rank", &MetricRow::rank, "global rank"},
    Column<MetricRow>{"metric", &MetricRow::metric, "`ddpbench list metrics` explains it"},
    Column<MetricRow>{"value", &MetricRow::value, "in the unit beside it"},
    Column<MetricRow>{"unit", &MetricRow::unit, "of the value"},
};

const std::array kManifestColumns{
    Column<ManifestRow>{"file", &ManifestRow::file, "path in the folder; manifest.csv: all the lines above"},
    Column<ManifestRow>{"launch_id", &ManifestRow::launch_id, "the gzip member's launch; empty: its header, or a whole file"},
    Column<ManifestRow>{"attempt", &ManifestRow::attempt, "of that launch; 0: none"},
    Column<ManifestRow>{"bytes", &ManifestRow::bytes, "as stored", "bytes"},
    Column<ManifestRow>{"crc32", &ManifestRow::crc32, "of the bytes as stored, as gzip's, hexadecimal"},
    Column<ManifestRow>{
        "state", &ManifestRow::state,
        "empty: it is there; before or after: one of them is, while a launch is committed; dropped: it may be gone"},
};

const std::array kKnownColumns{
    Column<KnownResolution>{"cell_id", &KnownResolution::cell_id, "one combination of every axis except arm"},
    Column<KnownResolution>{"options", &KnownResolution::options, "workload, strategy and protocol options, name=value;…"},
    Column<KnownResolution>{"arm", &KnownResolution::arm, "the arm that was compared"},
    Column<KnownResolution>{"clock", &KnownResolution::clock, "of the answer"},
    Column<KnownResolution>{"measured_utc", &KnownResolution::measured_utc, "ISO 8601"},
    Column<KnownResolution>{"resolution_us", &KnownResolution::resolution_us, "smallest difference that could be told from none",
                            "us"},
    Column<KnownResolution>{"step_ms", &KnownResolution::step_ms, "the reference's step that the user waits for", "ms"},
    Column<KnownResolution>{"pairs", &KnownResolution::pairs, "super-blocks in the estimate"},
    Column<KnownResolution>{"launches", &KnownResolution::launches, "fresh processes in the estimate"},
};

const std::array kNodeCheckColumns{
    Column<NodeCheckRow>{"started_utc", &NodeCheckRow::started_utc, "of the check, ISO 8601"},
    Column<NodeCheckRow>{"node", &NodeCheckRow::node, "its name"},
    Column<NodeCheckRow>{"rank", &NodeCheckRow::rank, "of the check"},
    Column<NodeCheckRow>{"round", &NodeCheckRow::round, "from 1"},
    Column<NodeCheckRow>{"check", &NodeCheckRow::check, "what was measured"},
    Column<NodeCheckRow>{"peer", &NodeCheckRow::peer, "the node at the other end of a link; else empty"},
    Column<NodeCheckRow>{"value", &NodeCheckRow::value, "the measurement"},
    Column<NodeCheckRow>{"unit", &NodeCheckRow::unit, "of the value"},
};

const std::array kCollectiveSampleColumns{
    Column<CollectiveSampleRow>{"launch_id", &CollectiveSampleRow::launch_id, "one start of all ranks"},
    Column<CollectiveSampleRow>{"nodes", &CollectiveSampleRow::nodes, "hosts"},
    Column<CollectiveSampleRow>{"ranks_per_node", &CollectiveSampleRow::ranks_per_node, "processes per host"},
    Column<CollectiveSampleRow>{"collective", &CollectiveSampleRow::collective,
                                "all_reduce, broadcast, …; step: a forward and a backward of the workload"},
    Column<CollectiveSampleRow>{"bucket_cap", &CollectiveSampleRow::bucket_cap,
                                "of a model's bucket sequence: bucket_cap_mb; empty: one buffer"},
    Column<CollectiveSampleRow>{"bytes", &CollectiveSampleRow::bytes,
                                "nccl-tests' size: of the larger buffer; of a sequence its sum", "bytes"},
    Column<CollectiveSampleRow>{"messages", &CollectiveSampleRow::messages,
                                "collectives of one repetition: 1, or as many as there are buckets"},
    Column<CollectiveSampleRow>{"arm", &CollectiveSampleRow::arm, "who ran it"},
    Column<CollectiveSampleRow>{"role", &CollectiveSampleRow::role, "reference, A/A, backend, library or limit"},
    Column<CollectiveSampleRow>{"round", &CollectiveSampleRow::round,
                                "from 1; in each every arm runs one block, in a drawn order"},
    Column<CollectiveSampleRow>{"position", &CollectiveSampleRow::position, "of the arm in its round, from 1"},
    Column<CollectiveSampleRow>{"calls", &CollectiveSampleRow::calls, "repetitions in the block"},
    Column<CollectiveSampleRow>{"wall_s", &CollectiveSampleRow::wall_s,
                                "of one repetition: the block over its repetitions, mean over ranks", "s"},
    Column<CollectiveSampleRow>{"slowest_s", &CollectiveSampleRow::slowest_s, "the same of the slowest rank", "s"},
    Column<CollectiveSampleRow>{"cpu_s", &CollectiveSampleRow::cpu_s,
                                "CPU time of the whole process for one repetition, mean over ranks", "s"},
    Column<CollectiveSampleRow>{"longest_s", &CollectiveSampleRow::longest_s,
                                "the longest single repetition of the block, of any rank; empty: on a device", "s"},
    Column<CollectiveSampleRow>{"p99_s", &CollectiveSampleRow::p99_s,
                                "99th percentile of single repetitions, all rounds, largest over ranks; last round only", "s"},
    Column<CollectiveSampleRow>{"wrong", &CollectiveSampleRow::wrong,
                                "elements that were wrong when it was checked; empty: not checked in this round"},
    Column<CollectiveSampleRow>{
        "filled", &CollectiveSampleRow::filled,
        "of a step by `ideal`, first round: SECONDS:BYTES of each bucket, when DDP hands it over after the step's "
        "begin, and then the step's end, with 0 bytes; slowest rank, blanks between"},
};

const std::array kBadNodeColumns{
    Column<KnownBadNode>{"node", &KnownBadNode::node, "its name"},
    Column<KnownBadNode>{"found_utc", &KnownBadNode::found_utc, "ISO 8601"},
    Column<KnownBadNode>{"finding", &KnownBadNode::finding, "slow or broken"},
    Column<KnownBadNode>{"reason", &KnownBadNode::reason, "a sentence"},
    Column<KnownBadNode>{"results", &KnownBadNode::results, "the results folder, where there is one"},
};

const std::array kOverheadColumns{
    Column<OverheadRow>{"cell_id", &OverheadRow::cell_id, "one combination of every axis except arm"},
    Column<OverheadRow>{"arm", &OverheadRow::arm, "the arm that is compared"},
    Column<OverheadRow>{"reference", &OverheadRow::reference, "with this arm"},
    Column<OverheadRow>{"clock", &OverheadRow::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<OverheadRow>{"overhead_us", &OverheadRow::overhead_us,
                        "Hodges-Lehmann estimate of the paired difference, per step; on CPU clocks of the mean over ranks", "us"},
    Column<OverheadRow>{"overhead_percent", &OverheadRow::overhead_percent,
                        "overhead_us as a share of step_us, the step that the user waits for", "%",
                        "95 % bound, with the error of step_us (batch means)"},
    Column<OverheadRow>{"reference_step_us", &OverheadRow::reference_step_us,
                        "the reference's step on the row's clock: median over super-blocks of its block median", "us"},
    Column<OverheadRow>{"pairs", &OverheadRow::pairs, "super-blocks in the estimate"},
    Column<OverheadRow>{"launches", &OverheadRow::launches, "fresh processes in the estimate"},
    Column<OverheadRow>{"aa_us_lo", &OverheadRow::aa_lo, "A/A interval of the row's family in this cell, on this clock", "us"},
    Column<OverheadRow>{"aa_us_hi", &OverheadRow::aa_hi, "its other bound", "us"},
    Column<OverheadRow>{"injected_true_us", &OverheadRow::injected_true_us, "the positive control's delay, measured in place",
                        "us"},
    Column<OverheadRow>{"injected_us", &OverheadRow::injected_us, "what the comparison found of it", "us"},
    Column<OverheadRow>{"verdict", &OverheadRow::verdict, "EQUIVALENT, SLOWER, FASTER, AMBIGUOUS or UNMEASURABLE"},
    Column<OverheadRow>{"reason", &OverheadRow::reason, "what the verdict rests on"},
    Column<OverheadRow>{"overhead_us_of_means", &OverheadRow::overhead_us_of_means,
                        "mean of the paired differences of block means: sees what a median hides, and every disturbance", "us"},
    Column<OverheadRow>{"p_value", &OverheadRow::p_value,
                        "two-sided, of no difference to the reference and none to the A/A arm, by centre, mean and single ranks"},
    Column<OverheadRow>{"p_holm", &OverheadRow::p_holm, "the same, adjusted by Holm for all comparisons on this clock"},
    Column<OverheadRow>{"comparisons", &OverheadRow::comparisons,
                        "how many those are: arms that are no controls, of all cells; a control is one by itself"},
    Column<OverheadRow>{"sigma_d_percent", &OverheadRow::sigma_d_percent,
                        "standard deviation of the pairs within launches, share of reference_step_us", "%"},
    Column<OverheadRow>{"budget_percent", &OverheadRow::budget_percent,
                        "what the user allows; empty: no budget, a control, or not the clock of the answer", "%"},
    Column<OverheadRow>{"budget_verdict", &OverheadRow::budget_verdict, "ACCEPT, REJECT or UNDECIDED; empty as budget_percent"},
    Column<OverheadRow>{"overhead_us_of_means_lo", &OverheadRow::overhead_us_of_means_lo, "95 % bound of that mean (t)", "us"},
    Column<OverheadRow>{"overhead_us_of_means_hi", &OverheadRow::overhead_us_of_means_hi, "95 % bound of that mean (t)", "us"},
    Column<OverheadRow>{
        "periodic_us", &OverheadRow::periodic_us,
        "work of every n-th step, timed as events of its own: mean event over n, per step; not in overhead_us, but in "
        "the verdict",
        "us", "95 % bound (t)"},
    Column<OverheadRow>{"step_us", &OverheadRow::step_us,
                        "the reference's step that the user waits for: on the device's clock, else awaited, else wall: the first "
                        "that was measured",
                        "us"},
    Column<OverheadRow>{"margin_us", &OverheadRow::margin_us, "m: margin_percent of step_us, but not less than the key margin_us",
                        "us"},
    Column<OverheadRow>{"resolution_us", &OverheadRow::resolution_us,
                        "smallest difference that one comparison sees: half-width and the A/A interval's farther bound", "us"},
    Column<OverheadRow>{
        "at_least_us", &OverheadRow::at_least_us,
        "the whole cost is at least this: lower bound, less the A/A interval's farther bound where that excludes 0", "us"},
    Column<OverheadRow>{"at_most_us", &OverheadRow::at_most_us, "and at most this", "us"},
    Column<OverheadRow>{"qualified", &OverheadRow::qualified, "what else stands out and should be known; empty: nothing"},
    Column<OverheadRow>{"largest_rank", &OverheadRow::largest_rank,
                        "rank on which the arm differs most; empty: one rank, or a clock that takes the slowest"},
    Column<OverheadRow>{"largest_rank_us", &OverheadRow::largest_rank_us, "its difference", "us",
                        "95 % bound that holds for all ranks together"},
    Column<OverheadRow>{"p_equivalent_holm", &OverheadRow::p_equivalent_holm,
                        "one-sided, of a difference beyond the margin, adjusted by Holm; EQUIVALENT needs less than 0.025"},
    Column<OverheadRow>{"p_budget_holm", &OverheadRow::p_budget_holm,
                        "one-sided, of the other side of the budget, adjusted by Holm; empty: no budget"},
    Column<OverheadRow>{"sigma_pair_us", &OverheadRow::sigma_pair_us, "standard deviation of a pair within a launch", "us"},
    Column<OverheadRow>{"sigma_launch_us", &OverheadRow::sigma_launch_us,
                        "standard deviation between launches, beyond what their pairs explain; empty: one launch", "us"},
    Column<OverheadRow>{"standard_error_us", &OverheadRow::standard_error_us,
                        "of overhead_us; below five launches what launches differ by is pooled over the cells", "us"},
    Column<OverheadRow>{"disturbed_percent", &OverheadRow::disturbed_percent, "share of the pairs that others disturbed", "%"},
    Column<OverheadRow>{"undisturbed_us", &OverheadRow::undisturbed_us, "overhead_us without those", "us"},
    Column<OverheadRow>{"invalid_percent", &OverheadRow::invalid_percent,
                        "share of the step times that are not finite and above 0, or missing on a rank", "%"},
    Column<OverheadRow>{"settle_launches", &OverheadRow::settle_launches,
                        "cheapest plan that would settle the row: so many launches; empty: it is settled, or not known"},
    Column<OverheadRow>{"settle_pairs", &OverheadRow::settle_pairs, "of so many pairs each"},
    Column<OverheadRow>{"settle_minutes", &OverheadRow::settle_minutes, "in so much time", "minutes"},
    Column<OverheadRow>{"comm_wait_us", &OverheadRow::comm_wait_us,
                        "time blocked in collectives beyond the reference's, per step: mean over ranks, of the paired "
                        "differences of blocks; empty: "
                        "another clock than wall, or a device that computes",
                        "us", "95 % bound (t)"},
    Column<OverheadRow>{"versions", &OverheadRow::versions,
                        "what the arm ran on, name=version;…; several: \" or \" between them"},
    Column<OverheadRow>{"waiting_us", &OverheadRow::waiting_us,
                        "on the clock `awaited`: what of the cost is no CPU time of the ranks' main threads", "us"},
    Column<OverheadRow>{"seen_us", &OverheadRow::seen_us,
                        "the same among so many comparisons: a cost of so much is mostly seen, of twice as much nearly always",
                        "us"},
    Column<OverheadRow>{"control_factor", &OverheadRow::control_factor,
                        "by the positive control, figures may be so many times too large (above 1) or too small; 1: it was found "
                        "as it should be. The bounds of verdict and answer allow for it, those of overhead_us do not"},
    Column<OverheadRow>{"label", &OverheadRow::label, "the cell's workload, and what tells it from the others"},
    Column<OverheadRow>{"options", &OverheadRow::options, "workload, strategy and protocol options of the cell, name=value;…"},
};

const std::array kScalingColumns{
    Column<ScalingRow>{"cell_id", &ScalingRow::cell_id, "one combination of every axis except arm"},
    Column<ScalingRow>{"options", &ScalingRow::options, "workload, strategy and protocol options, name=value;…"},
    Column<ScalingRow>{"arm", &ScalingRow::arm, "who drives the step"},
    Column<ScalingRow>{"world_size", &ScalingRow::world_size, "ranks"},
    Column<ScalingRow>{"mode", &ScalingRow::mode,
                       "strong: same global batch, weak: same batch per rank; empty: no other world size"},
    Column<ScalingRow>{
        "samples_per_s", &ScalingRow::samples_per_s,
        "global batch over the median step time (slowest rank); harmonic mean over launches", "samples/s",
        "95 % bound: t of the launches' logarithms, with fewer than five by the scatter of all sizes; empty: one launch"},
    Column<ScalingRow>{"speedup", &ScalingRow::speedup, "samples_per_s over the reference cell's", "",
                       "95 % bound: t of the log ratios of launches of one repetition, as above; empty: one repetition"},
    Column<ScalingRow>{"efficiency", &ScalingRow::efficiency, "speedup over the ratio of world sizes"},
    Column<ScalingRow>{
        "p_not_faster", &ScalingRow::p_not_faster,
        "one-sided, that some smaller size of the group is as fast; empty: there is none, or there was one launch"},
    Column<ScalingRow>{"is_faster", &ScalingRow::is_faster,
                       "1: than every smaller size of the group, beyond chance (p_not_faster), or the smallest; else 0"},
    Column<ScalingRow>{"reference_cell", &ScalingRow::reference_cell, "the smallest world size of the group"},
    Column<ScalingRow>{"launches", &ScalingRow::launches, "fresh processes in the estimate"},
    Column<ScalingRow>{"super_blocks", &ScalingRow::super_blocks, "blocks in the estimate"},
};

// The axes stand before `options`, which holds what they do not.
template <class Row>
std::vector<Column<Row>> with_axes(std::span<const Column<Row>> own) {
  std::vector<Column<Row>> table;
  for (const auto& column : own) {
    if (column.name == std::string_view("options")) {
      const auto axes = axis_columns<Row>();
      table.insert(table.end(), axes.begin(), axes.end());
    }
    table.push_back(column);
  }
  return table;
}

}  // namespace

template <>
std::span<const Column<PlanRow>> columns<PlanRow>() {
  static const auto table = with_axes<PlanRow>(kPlanColumns);
  return table;
}
template <>
std::span<const Column<RunRow>> columns<RunRow>() {
  static const auto table = with_axes<RunRow>(kRunColumns);
  return table;
}
template <>
std::span<const Column<StepRow>> columns<StepRow>() {
  return kStepColumns;
}
template <>
std::span<const Column<BlockRow>> columns<BlockRow>() {
  return kBlockColumns;
}
template <>
std::span<const Column<MetricRow>> columns<MetricRow>() {
  return kMetricColumns;
}
template <>
std::span<const Column<ManifestRow>> columns<ManifestRow>() {
  return kManifestColumns;
}
template <>
std::span<const Column<KnownResolution>> columns<KnownResolution>() {
  return kKnownColumns;
}
template <>
std::span<const Column<NodeCheckRow>> columns<NodeCheckRow>() {
  return kNodeCheckColumns;
}
template <>
std::span<const Column<CollectiveSampleRow>> columns<CollectiveSampleRow>() {
  return kCollectiveSampleColumns;
}
template <>
std::span<const Column<KnownBadNode>> columns<KnownBadNode>() {
  return kBadNodeColumns;
}
template <>
std::span<const Column<OverheadRow>> columns<OverheadRow>() {
  static const auto table = with_axes<OverheadRow>(kOverheadColumns);
  return table;
}
template <>
std::span<const Column<ScalingRow>> columns<ScalingRow>() {
  static const auto table = with_axes<ScalingRow>(kScalingColumns);
  return table;
}

}  // namespace ddpbench
