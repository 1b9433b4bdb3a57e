#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Writes a whole data set of images that can be learned into the folder of the set's first version below `parent`: each class has
// a smooth pattern, and an image is its class's pattern, shifted, plus a pattern of no class, plus noise. The same seed gives the
// same bytes. The folder appears whole, by rename, and takes the place of an earlier generated one; a note in it says what it is.
// Returns the folder. Throws UsageError where it exists and holds anything else, CannotRun where it cannot be written.
std::string generate_data(const DataSet& set, const std::string& parent, std::uint64_t seed);

// Returns the seed of a generated data set of the present kind; nothing where `folder` (with the files) holds anything else.
std::optional<std::uint64_t> generated_seed(const std::string& folder);

}  // namespace ddpbench
