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
  std::unique_ptr<Precision> (*make)(at::Device device);
};
std::span<const PrecisionEntry> precisions();

}  // namespace ddpbench
