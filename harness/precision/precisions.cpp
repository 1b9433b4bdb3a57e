#include "harness/precision/precisions.hpp"

#include <array>

namespace ddpbench {
namespace {

std::unique_ptr<Precision> make_fp32() { return std::make_unique<Precision>(); }

}  // namespace

std::span<const PrecisionEntry> precisions() {
  static const std::array table{PrecisionEntry{"fp32", "IEEE single precision everywhere", make_fp32}};
  return table;
}

}  // namespace ddpbench
