#pragma once
#include <memory>
#include <string>

#include "harness/api/batch.hpp"
#include "workloads/data/data_options.hpp"
#include "workloads/data/epoch_batches.hpp"
#include "workloads/formats/cifar_files.hpp"

namespace ddpbench {

// What a cursor is made from: a training set and a rank's way through it.
struct CifarSet {
  std::string dataset;
  CifarImages images;
  EpochBatches epochs;
};

// Batches made on the device by tensor operations, from the whole set of uint8 images there. They hold the same bits as those made on the
// host: the same random words, the same table of values.
std::unique_ptr<BatchCursor> make_device_cursor(CifarSet set, const DataOptions& options, at::Device device);

}  // namespace ddpbench
