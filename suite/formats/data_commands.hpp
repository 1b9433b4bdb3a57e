#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Does `ddpbench data make PATH`: writes the data set into a folder of its own below `path`. Returns what to print. Throws
// UsageError for an unknown data set or a folder with other files in it, CannotRun where it cannot be written.
std::string make_data(const std::string& path, const std::string& dataset, std::uint64_t seed);

// Does `ddpbench data verify PATH`: checks every data set found at `path` (the folder that holds data sets, or one of them).
// Returns what to print; throws UsageError with every mistake, or where there is no data set at all.
std::string verify_data(const std::string& path);

}  // namespace ddpbench
