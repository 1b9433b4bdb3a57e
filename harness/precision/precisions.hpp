#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/api/precision.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

struct PrecisionRequest {
  at::Device device;
  std::map<std::string, std::string> options{};  // all of the precision's options, checked
};

// One line of the table of precisions.
struct PrecisionEntry {
  std::string name;
  std::string help;
  bool on_cpu;   // false: GPUs only
  int least_sm;  // of a GPU; 0: any
  std::unique_ptr<Precision> (*make)(const PrecisionRequest& request);
  std::vector<OptionEntry> options{};
};
std::span<const PrecisionEntry> precisions();

}  // namespace ddpbench
