#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ddpbench {

// Returns the seed of one launch: splitmix64's finaliser over (experiment's seed, FNV-1a of the cell's name, repetition), cut to
// 53 bits so that every JSON reader keeps it whole. The same experiment gives the same seeds on every machine, whatever other
// cells it has.
std::int64_t launch_seed(std::int64_t experiment_seed, std::string_view cell_id, std::int64_t repetition);

// Returns 0 … count-1 in the order of one repetition (Fisher-Yates; std::shuffle differs between libraries).
std::vector<std::size_t> launch_order(std::size_t count, std::int64_t experiment_seed, std::int64_t repetition);

// Returns a fingerprint of a text: its 64-bit FNV-1a hash.
std::uint64_t fnv1a(std::string_view text);

}  // namespace ddpbench
