#pragma once
#include <memory>
#include <span>
#include <string>

#include "harness/api/precision.hpp"

namespace ddpbench {

// One line of the table of precisions.
struct PrecisionEntry {
  std::string name;
  std::string help;
  bool on_cpu;   // false: GPUs only
  int least_sm;  // of a GPU; 0: any
  std::unique_ptr<Precision> (*make)(at::Device device);
};
std::span<const PrecisionEntry> precisions();

}  // namespace ddpbench
