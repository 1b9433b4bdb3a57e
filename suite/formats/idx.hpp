#pragma once
#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Is MNIST's IDX format: a file of images and one of their labels. Each begins with numbers of four bytes, the highest byte
// first: what the values are, and how many there are in each dimension. Images have one channel.
extern const DataFormat kIdx;

}  // namespace ddpbench
