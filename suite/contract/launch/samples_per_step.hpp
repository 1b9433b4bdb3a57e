#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "suite/contract/launch/axes.hpp"

namespace ddpbench {

// Returns the global batch size, the samples of one optimizer step: of all ranks and of all micro-batches (the strategy's option
// `accumulate`; 1 where it has none). `strategy_options` may hold other options too.
std::int64_t samples_per_step(const Axes& axes, const std::map<std::string, std::string>& strategy_options);

// Returns the same of a row, whose `options` are text: "accumulate=4;bucket_cap_mb=25".
std::int64_t samples_per_step(const Axes& axes, const std::string& options);

}  // namespace ddpbench
