#pragma once
#include <string>
#include <vector>

#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// A launch of two arms and two ranks with times that can be worked out by hand.
inline LaunchSpec sample_spec(const std::string& launch_id = "L0001") {
  LaunchSpec spec;
  spec.launch_id = launch_id;
  spec.cell_id = "C1";
  spec.workload = "null";
  spec.ranks_per_node = 2;
  spec.batch_size_per_rank = 8;
  spec.arms = {"raw", "trainer"};
  spec.protocol.block_steps = 2;
  return spec;
}

inline StepRow sample_step(const LaunchSpec& spec, std::int64_t super_block, std::size_t arm, std::int64_t step,
                           std::int64_t rank) {
  StepRow row;
  row.launch_id = spec.launch_id;
  row.super_block = super_block;
  row.block = (super_block - 1) * 2 + static_cast<std::int64_t>(arm) + 1;
  row.arm = spec.arms[arm];
  row.step = step;
  row.rank = rank;
  row.discarded = step <= 0;
  // Rank 1 is the slower one; the arm adds half a millisecond.
  row.step_s = 0.001 * static_cast<double>(super_block * 2 + rank) + 0.0005 * static_cast<double>(arm);
  row.thread_cpu_s = 0.5 * row.step_s;
  if (row.discarded) row.loss = 3.0 / static_cast<double>(super_block);
  return row;
}

inline std::string sample_steps(const LaunchSpec& spec, std::int64_t super_block, std::int64_t rank) {
  std::string text;
  for (std::size_t arm = 0; arm < spec.arms.size(); ++arm) {
    for (std::int64_t step = 1 - discarded_steps(spec.seed, super_block); step <= spec.protocol.block_steps; ++step)
      append_csv_row(text, sample_step(spec, super_block, arm, step, rank));
  }
  return text;
}

// Of all ranks in super-blocks 1, 2, …
inline std::size_t sample_step_rows(const LaunchSpec& spec, std::int64_t super_blocks) {
  std::int64_t rows = 0;
  for (std::int64_t i = 1; i <= super_blocks; ++i) rows += discarded_steps(spec.seed, i) + spec.protocol.block_steps;
  return static_cast<std::size_t>(rows * spec.world_size()) * spec.arms.size();
}

inline std::string sample_blocks(const LaunchSpec& spec, std::int64_t super_block, std::int64_t rank) {
  std::string text;
  for (std::size_t arm = 0; arm < spec.arms.size(); ++arm) {
    BlockRow row;
    row.launch_id = spec.launch_id;
    row.super_block = super_block;
    row.block = (super_block - 1) * 2 + static_cast<std::int64_t>(arm) + 1;
    row.wall_s = static_cast<double>(spec.protocol.block_steps) * sample_step(spec, super_block, arm, 1, rank).step_s;
    row.arm = spec.arms[arm];
    row.position = static_cast<std::int64_t>(arm);
    row.rank = rank;
    append_csv_row(text, row);
  }
  return text;
}

inline NodeCheckRow sample_node_check() { return {"2026-01-01T00:00:00Z", "node1", 0, 1, "latency", "node2", 0.00025, "s"}; }

// The traces of one rank of a launch of purpose `profile`.
inline RecordedTraces sample_traces(const std::string& launch_id) {
  ProfileRow rank{launch_id, "cell", "kineto", "raw", 0, 11, 20, "profiles/" + launch_id + "/rank0.pt.trace.json.gz",
                  "",        "ok",   ""};
  TracePartRow part{launch_id, "cell", "raw", 0, 10, "step", 1250, 1};
  TraceMemoryRow point{launch_id, "cell", "raw", 0, "cpu", "forward", 12.5, 40, kNotMeasured};
  return {{rank}, {part}, {point}, {{rank.file, "the trace of " + launch_id}}};
}

inline CollectiveSampleRow sample_collective(const std::string& launch_id) {
  CollectiveSampleRow row;
  row.launch_id = launch_id;
  row.nodes = 1;
  row.ranks_per_node = 2;
  row.collective = "all_reduce";
  row.bytes = 4096;
  row.messages = row.round = row.position = 1;
  row.arm = "gloo";
  row.role = "reference";
  row.calls = 50;
  row.wall_s = 0.00125;
  row.slowest_s = 0.0015;
  row.wrong = 0;
  return row;
}

inline PlanRow sample_plan_row(const LaunchSpec& spec) {
  PlanRow row;
  row.launch_id = spec.launch_id;
  row.cell_id = spec.cell_id;
  row.workload = spec.workload;
  row.strategy = spec.strategy;
  row.backend = spec.backend;
  row.precision = spec.precision;
  row.ranks_per_node = spec.ranks_per_node;
  row.batch_size_per_rank = spec.batch_size_per_rank;
  row.arms = "raw trainer";
  row.status_planned = status::kPlanned;
  row.command = "ddpbench-worker --launch-id " + spec.launch_id;
  return row;
}

// What a launch of `super_blocks` super-blocks commits.
inline LaunchResult sample_result(const LaunchSpec& spec, std::int64_t super_blocks, const char* launch_status = status::kOk) {
  LaunchResult result;
  for (std::int64_t i = 1; i <= super_blocks; ++i) {
    for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) {
      result.steps_csv += sample_steps(spec, i, rank);
      result.blocks_csv += sample_blocks(spec, i, rank);
    }
  }
  for (const auto& arm : spec.arms) {
    RunRow row;
    row.launch_id = spec.launch_id;
    row.cell_id = spec.cell_id;
    row.arm = arm;
    row.workload = spec.workload;
    row.strategy = spec.strategy;
    row.backend = spec.backend;
    row.precision = spec.precision;
    row.ranks_per_node = spec.ranks_per_node;
    row.batch_size_per_rank = spec.batch_size_per_rank;
    row.status = launch_status;
    row.super_blocks = super_blocks;
    row.steps = super_blocks * spec.protocol.block_steps;
    result.runs.push_back(row);
  }
  result.metrics.push_back({spec.launch_id, "", 0, "peak_memory_mib", 100.0, "MiB"});
  return result;
}

}  // namespace ddpbench
