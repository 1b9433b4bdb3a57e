#pragma once
#include <memory>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "harness/api/batch_norm.hpp"
#include "harness/api/model.hpp"

namespace ddpbench {

// Makes every BatchNorm2d of the model take its statistics over all ranks of the group (torch.nn.SyncBatchNorm; on CPU tensors
// too): one all-gather of each layer's means, variances and counts in forward, one all-reduce of two sums in backward. What it
// returns must live as long as the model is used.
std::unique_ptr<BatchNormalizer> synchronize_batch_norm(Model& model, c10::intrusive_ptr<c10d::ProcessGroup> group);

}  // namespace ddpbench
