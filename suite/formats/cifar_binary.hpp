#pragma once
#include <cstdint>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Is the binary version of CIFAR: files of nothing but records, a record is its label bytes and then the bytes of its image (red,
// green, blue plane).
extern const DataFormat kCifarBinary;

// Returns the bytes of a record in that version.
constexpr std::int64_t cifar_record_bytes(const DataSet& set) {
  return static_cast<std::int64_t>(set.labels.size()) + set.image.bytes();
}

}  // namespace ddpbench
