#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/contract/options.hpp"

namespace ddpbench {

// Everything one rank must know to run one launch, but for who it is (that is RankInfo, from the environment). It crosses from
// ddpbench to the worker as a command line, so that a person can run any launch by hand.
struct LaunchSpec {
  std::string launch_id;
  std::string cell_id;
  std::string workload;
  std::string strategy = "ddp";
  std::string backend = "gloo";
  std::string precision = "fp32";
  std::int64_t nodes = 1;
  std::int64_t ranks_per_node = 1;
  std::int64_t devices_per_rank = 1;
  std::int64_t batch_size_per_rank = 1;
  std::int64_t repetition = 0;
  std::vector<std::string> arms;

  std::int64_t block_steps = 4;       // timed steps of a block, after one discarded step
  std::int64_t warmup_steps = 10;     // per arm, before the first block
  double max_seconds = 120;           // the measurement ends at the first super-block's end past this …
  std::int64_t min_super_blocks = 6;  // … and past this many super-blocks
  std::int64_t max_super_blocks = 0;  // 0: no bound
  double margin_percent = 0.5;        // a verdict's ±m, share of the step; a launch ends at half-widths of m/4
  double margin_us = 2;               // but never less
  double injected_us = 100;
  double hang_timeout_seconds = 60;
  std::int64_t threads_per_rank = 1;  // intra-op threads
  bool deterministic = false;         // deterministic kernels only
  bool cudnn_benchmark = false;       // cuDNN tries its algorithms and keeps the fastest
  std::int64_t seed = 1;              // of this launch: weights, shuffling, order of arms

  std::string data;          // folder with the data set's binary files; empty where the workload needs none
  std::string part_dir;      // folder that takes this launch's part files; a rank makes it where it is not there
  Options workload_options;  // all of them, defaults filled in
  Options strategy_options;

  std::int64_t world_size() const { return nodes * ranks_per_node; }

  // Of all ranks and micro-batches (the strategy's option `accumulate`).
  std::int64_t images_per_step() const;
};

// {"--launch-id", "L0001", …}: one token pair per field that differs from the default, options as name=value.
std::vector<std::string> to_tokens(const LaunchSpec& spec);

// The inverse. Throws UsageError for an unknown flag, a flag without a value, or a value that is not of the field's type.
LaunchSpec launch_spec_from_tokens(const std::vector<std::string>& tokens);

// The fields as a help text, a line each.
std::string launch_spec_help();

}  // namespace ddpbench
