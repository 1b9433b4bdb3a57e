#include "harness/strategies/strategies.hpp"

#include <array>

#include "suite/contract/launch/option_values.hpp"

namespace ddpbench {

namespace {

// What every strategy takes, and then its own.
std::vector<OptionEntry> with_step_options(std::vector<OptionEntry> own) {
  std::vector<OptionEntry> options{
      {"accumulate", OptionType::kInteger, "1", {}, 1, 1'000'000, "micro-batches of a step; ranks meet in the last"},
      {"clip_norm", OptionType::kNumber, "0", {}, 0, 1e30, "bound of the gradients' total 2-norm; 0: no clipping"},
  };
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

// Of every strategy that c10d::Reducer drives (reducer_strategy.hpp).
std::vector<OptionEntry> reducer_options() {
  constexpr auto kSwitch = OptionType::kSwitch;
  constexpr auto kNumber = OptionType::kNumber;
  return {
      {"bucket_cap_mb",
       kNumber,
       "default",
       {},
       0.001,
       100'000,
       "bucket size, MiB; `default` is PyTorch's: a first of 1, then 25"},
      {"first_bucket_mb", kNumber, "default", {}, 0.001, 100'000, "the first bucket's, MiB; `default` follows bucket_cap_mb"},
      {"gradient_as_bucket_view", kSwitch, "false", {}, 0, 0, "gradients share storage with the buckets"},
      {"broadcast_buffers", kSwitch, "true", {}, 0, 0, "rank 0's buffers before each forward"},
      {"find_unused_parameters", kSwitch, "false", {}, 0, 0, "search the graph of each step for parameters without a gradient"},
      {"static_graph",
       kSwitch,
       "false",
       {},
       0,
       0,
       "the graph of the first step is that of all",
       {{"true", {{"accumulate", "1"}}}}},
      {"sync_batchnorm", kSwitch, "false", {}, 0, 0, "BatchNorm takes its statistics over all ranks"},
  };
}

}  // namespace

std::span<const StrategyFactory> strategies() {
  static const std::array table{
      StrategyFactory{{.name = "single",
                       .help = "one process, no communication: what the other strategies are compared with",
                       .options = with_step_options({}),
                       .max_world_size = 1},
                      make_single},
      StrategyFactory{{.name = "ddp",
                       .help = "DistributedDataParallel: c10d::Reducer all-reduces gradients in buckets during backward",
                       .options = with_step_options(reducer_options())},
                      make_ddp},
  };
  return table;
}

StepOptions step_options(const std::map<std::string, std::string>& options) {
  const OptionValues values(options);
  return {.accumulate = values.integer("accumulate"), .clip_norm = values.number("clip_norm")};
}

}  // namespace ddpbench
