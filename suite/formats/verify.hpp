#pragma once
#include <string>
#include <vector>

#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// Lists everything that is wrong with the data set at `path` (as for cifar_folder), a message each: file, record and offset,
// value, and what is legal; of the Python version also a file that is not the original by its MD5 sum. Empty: it is whole.
std::vector<std::string> cifar_mistakes(const CifarLayout& layout, const std::string& path);

// Limits the wrong labels of a file that are named; the rest are counted.
inline constexpr int kLabelMistakesShown = 5;

}  // namespace ddpbench
