#pragma once
#include <cstdint>
#include <string>

#include "suite/base/interval_estimate.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/contract/launch/axes.hpp"

namespace ddpbench {

// Holds one planned launch, or a skip. `options` holds what the standard axes do not: "stem=imagenet;data=cifar".
struct PlanRow : Axes {
  std::string launch_id, cell_id;
  std::string options, arms;
  std::int64_t repetition = 0, seed = 0;
  std::string status_planned, skip_reason, command;
};

// Holds one arm of one launch that was started (or skipped). A launch that did not end well may be attempted again: only the rows
// of its last attempt stand here. steps_bytes and blocks_bytes are the compressed lengths of the launch's members of steps.csv.gz
// and blocks.csv.gz.
struct RunRow : Axes {
  std::string launch_id, cell_id, arm;
  std::string options;
  std::int64_t repetition = 0;
  std::string status, reason, host_list, started_utc;
  double wall_s = kNotMeasured;
  std::int64_t super_blocks = 0, steps = 0;
  double samples_per_s = kNotMeasured, step_ms_p50 = kNotMeasured, thread_cpu_ms_p50 = kNotMeasured;
  double peak_memory_mib = kNotMeasured, loss_first = kNotMeasured, loss_last = kNotMeasured;
  std::int64_t steps_bytes = 0, blocks_bytes = 0, attempt = 1;
  std::string versions;
  std::string profiled;  // the profiler from outside; "": none
};

// Holds one step of one rank. super_block counts from 1; super_block 0 is the equal-work check, whose rows hold losses and no
// times.
struct StepRow {
  std::string launch_id;
  std::int64_t super_block = 0, block = 0;
  std::string arm;
  std::int64_t step = 0, rank = 0;
  bool discarded = false;
  double step_s = kNotMeasured, thread_cpu_s = kNotMeasured, process_cpu_s = kNotMeasured;
  double data_s = kNotMeasured, h2d_s = kNotMeasured, forward_s = kNotMeasured, backward_s = kNotMeasured;
  double comm_wait_s = kNotMeasured, optimizer_s = kNotMeasured, wrapper_s = kNotMeasured, other_s = kNotMeasured;
  double loss = kNotMeasured;
  double awaited_s = kNotMeasured;    // of all ranks together
  double run_delay_s = kNotMeasured;  // of the main thread
};

// Holds one block of one rank: its timed steps, without the discarded ones.
struct BlockRow {
  std::string launch_id;
  std::int64_t super_block = 0, block = 0, position = 0;
  std::string arm;
  std::int64_t rank = 0;
  double wall_s = kNotMeasured, device_s = kNotMeasured, thread_cpu_s = kNotMeasured, process_cpu_s = kNotMeasured;
  double load = kNotMeasured, steal_s = kNotMeasured, foreign_cpu_s = kNotMeasured;
  bool disturbed = false;
  std::string instrumentation;
  double throttled_s = kNotMeasured;
  double instructions = kNotMeasured;
  double awaited_s = kNotMeasured;    // of all ranks together
  double run_delay_s = kNotMeasured;  // of the main thread
};

// Holds one value of one metric, of one arm on one rank of a launch.
struct MetricRow {
  std::string launch_id, arm;
  std::int64_t rank = 0;
  std::string metric;
  double value = kNotMeasured;
  std::string unit;
};

// Says what stands in a results folder: one file, or one gzip member of one. `state` is empty where it must be there as the sum
// says; while files are exchanged for newer ones, see manifest_state.
struct ManifestRow {
  std::string file, launch_id;
  std::int64_t attempt = 0, bytes = 0;
  std::string crc32, state;
};

// Says how finely a cell could be resolved when it was measured last on this host: what the next run may expect.
struct KnownResolution {
  std::string cell_id, options, arm, clock, measured_utc;
  double resolution_us = kNotMeasured, step_ms = kNotMeasured;
  std::int64_t pairs = 0, launches = 0;
};

// Holds one measurement of a check of the nodes before a sweep (node_checks.hpp).
struct NodeCheckRow {
  std::string started_utc, node;
  std::int64_t rank = 0, round = 0;
  std::string check, peer;
  double value = kNotMeasured;
  std::string unit;
};

// Holds one block of one arm of a launch of purpose `collectives` (collectives.hpp) in one round of a case: `calls` repetitions,
// of all ranks.
struct CollectiveSampleRow {
  std::string launch_id;
  std::int64_t nodes = 0, ranks_per_node = 0;
  std::string collective, bucket_cap;
  std::int64_t bytes = 0, messages = 0;  // of the case; messages: collectives of a repetition
  std::string arm, role;
  std::int64_t round = 0, position = 0, calls = 0;
  double wall_s = kNotMeasured;     // of one repetition: mean over ranks
  double slowest_s = kNotMeasured;  // of the rank that took longest
  double cpu_s = kNotMeasured;      // of the whole process: mean over ranks
  double longest_s = kNotMeasured;  // the longest single repetition of any rank
  double p99_s = kNotMeasured;      // of the single repetitions of all rounds, largest over ranks; on the last round's row
  double wrong = kNotMeasured;  // elements of all ranks that were not what they must be; on the rows of the rounds with a check
  std::string filled{};         // FilledBucket list of a step; on the first round of arm `ideal`
};

// Holds one rank of a launch of purpose `profile` (profile.hpp): what its trace is of, and where it lies in the folder.
struct ProfileRow {
  std::string launch_id, cell_id, profiler, arms;
  std::int64_t rank = 0, first_step = 0, last_step = 0;
  std::string file, steps_file;  // empty: this rank left none
  std::string status, reason;
};

// Holds one part of an arm's mean step on one rank, as a trace of a launch of purpose `profile` shows it (suite/traces). The parts
// of an arm and rank add up to its part "step".
struct TracePartRow {
  std::string launch_id, cell_id, arm;
  std::int64_t rank = 0, steps = 0;
  std::string part;
  double us = kNotMeasured, share = kNotMeasured;  // a step; of the step, from 0 to 1
};

// Holds one point of the memory in an arm's typical step on one rank: that of median length in a trace that recorded memory. From
// `us` until the next point's, `phase` is the innermost one, and so much is live on the device.
struct TraceMemoryRow {
  std::string launch_id, cell_id, arm;
  std::int64_t rank = 0;
  std::string device, phase;
  double us = kNotMeasured, allocated_mib = kNotMeasured, reserved_mib = kNotMeasured;
};

// Names a node that was found slow or broken when it was looked at last.
struct KnownBadNode {
  std::string node, found_utc, finding, reason, results;
};

// Compares one arm of one cell on one clock with the reference. Estimates in microseconds and percent, 95 % bounds.
struct OverheadRow : Axes {
  std::string cell_id, arm, reference, clock;
  Estimate overhead_us, overhead_percent;
  double reference_step_us = kNotMeasured;  // on the row's clock
  std::int64_t pairs = 0, launches = 0;
  double aa_lo = kNotMeasured, aa_hi = kNotMeasured, injected_true_us = kNotMeasured, injected_us = kNotMeasured;
  std::string verdict, reason;
  double overhead_us_of_means = kNotMeasured;  // mean of the differences of block means: sees what a median hides
  double p_value = kNotMeasured, p_holm = kNotMeasured;
  std::int64_t comparisons = 0;
  double sigma_d_percent = kNotMeasured, budget_percent = kNotMeasured;
  std::string budget_verdict;
  double overhead_us_of_means_lo = kNotMeasured, overhead_us_of_means_hi = kNotMeasured;
  // Work of every n-th step, timed as events of its own: its cost per step stands beside overhead_us, which does not hold it.
  Estimate periodic_us;
  double step_us = kNotMeasured;  // what every percentage is of: the step that the user waits for
  double margin_us = kNotMeasured, resolution_us = kNotMeasured, at_least_us = kNotMeasured, at_most_us = kNotMeasured;
  std::string qualified;  // what else stands out
  double largest_rank = kNotMeasured;
  Estimate largest_rank_us;
  double p_equivalent_holm = kNotMeasured, p_budget_holm = kNotMeasured;
  double sigma_pair_us = kNotMeasured, sigma_launch_us = kNotMeasured, standard_error_us = kNotMeasured;
  double disturbed_percent = kNotMeasured, undisturbed_us = kNotMeasured, invalid_percent = kNotMeasured;
  double settle_launches = kNotMeasured, settle_pairs = kNotMeasured, settle_minutes = kNotMeasured;
  Estimate comm_wait_us;
  std::string versions;
  Estimate waiting_us;                   // on the awaited clock
  double seen_us = kNotMeasured;         // resolution_us among so many comparisons
  double control_factor = kNotMeasured;  // so many times too large (above 1) or too small figures may be, by the positive control
  std::string label, options;            // of the cell
};

// Holds the throughput of one arm of one cell, and compares it with the smallest world size of its group. mode: strong (same
// global batch), weak (same batch per rank), or "": no other world size was measured.
struct ScalingRow : Axes {
  std::string cell_id;
  std::string options, arm;
  std::int64_t world_size = 1;
  std::string mode;
  Estimate samples_per_s, speedup, efficiency;
  double p_not_faster = kNotMeasured;
  bool is_faster = true;  // than every smaller size of its group, beyond chance
  std::string reference_cell;
  std::int64_t launches = 0, super_blocks = 0;
};

}  // namespace ddpbench
