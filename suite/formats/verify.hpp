#pragma once
#include <string>
#include <vector>

#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// Everything that is wrong with the data set at `path` (as for cifar_folder), a message each: file, record and offset, value,
// and what is legal; of the Python version also a file that is not the original by its MD5 sum. Empty: it is whole. At most kLabelMistakesShown wrong labels of a file are named; the rest are counted.
std::vector<std::string> cifar_mistakes(const CifarLayout& layout, const std::string& path);

inline constexpr int kLabelMistakesShown = 5;

}  // namespace ddpbench
