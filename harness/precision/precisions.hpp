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
struct PrecisionFactory : PrecisionEntry {
  std::unique_ptr<Precision> (*make)(const PrecisionRequest& request);
};
// Returns the table of precisions.
std::span<const PrecisionFactory> precisions();

}  // namespace ddpbench
