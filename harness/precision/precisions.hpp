#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/api/precision.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds what a precision is made from.
struct PrecisionRequest {
  at::Device device;
  std::map<std::string, std::string> options{};  // all of the precision's options, checked
};

// Describes one precision: a line of the table.
struct PrecisionEntry {
  std::string name;
  std::string help;
  bool on_cpu;   // false: GPUs only
  int least_sm;  // compute capability that a GPU needs, as CudaDevice::sm; 0: any
  std::unique_ptr<Precision> (*make)(const PrecisionRequest& request);
  std::vector<OptionEntry> options{};
};
// Returns the table of precisions.
std::span<const PrecisionEntry> precisions();

}  // namespace ddpbench
