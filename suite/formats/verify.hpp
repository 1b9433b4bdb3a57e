#pragma once
#include <string>
#include <vector>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Lists everything that is wrong with the data set at `path` (as for files_folder), a message each: file, record and offset,
// value, and what is legal; of CIFAR's Python version also a file that is not the original by its MD5 sum. Empty: it is whole.
std::vector<std::string> data_mistakes(const DataSet& set, const std::string& path);

}  // namespace ddpbench
