#pragma once
#include "harness/api/torch.hpp"

namespace ddpbench {

// Normalises a batch by statistics over all ranks. A strategy implements it; the tensors are those of one BatchNorm layer.
class BatchNormalizer {
 public:
  virtual ~BatchNormalizer() = default;
  // input [N, C, H, W]; momentum is the weight of this batch in the running statistics. Collective.
  virtual at::Tensor normalize(const at::Tensor& input, torch::nn::BatchNorm2dImpl& layer, double momentum) = 0;
};

// Lets a strategy turn torch::nn::BatchNorm2d into SyncBatchNorm: C++ modules cannot be exchanged in place as Python's can.
class BatchNorm2dImpl final : public torch::nn::BatchNorm2dImpl {
 public:
  using torch::nn::BatchNorm2dImpl::BatchNorm2dImpl;

  // Makes forward() use `normalizer` in training, which must outlive this module; nullptr: this rank's own statistics.
  void synchronize(BatchNormalizer* normalizer) { normalizer_ = normalizer; }

  at::Tensor forward(const at::Tensor& input) {
    if (normalizer_ == nullptr || !is_training()) return torch::nn::BatchNorm2dImpl::forward(input);
    num_batches_tracked += 1;
    return normalizer_->normalize(input, *this, options.momentum().value());
  }

 private:
  BatchNormalizer* normalizer_ = nullptr;
};
// Defines BatchNorm2d, the holder of a BatchNorm2dImpl, as LibTorch does for its own modules.
TORCH_MODULE(BatchNorm2d);

}  // namespace ddpbench
