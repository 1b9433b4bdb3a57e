#include "harness/ranks/mpi/flat_tensors.hpp"

#include <ATen/core/LegacyTypeDispatch.h>

namespace ddpbench {

at::Tensor flat(const std::vector<at::Tensor>& tensors) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  std::vector<at::Tensor> flattened;
  for (const auto& tensor : tensors) flattened.push_back(tensor.reshape({-1}));
  return at::cat(flattened);
}

void unflatten(const at::Tensor& buffer, std::vector<at::Tensor>& tensors) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  std::int64_t begin = 0;
  for (auto& tensor : tensors) {
    tensor.copy_(buffer.narrow(0, begin, tensor.numel()).view_as(tensor));
    begin += tensor.numel();
  }
}

at::Tensor room_for(const at::Tensor& one, int ranks) { return at::empty({one.numel() * ranks}, one.options()); }

at::Tensor joined_by_rank(const std::vector<at::Tensor>& tensors, int ranks) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  std::vector<at::Tensor> by_rank;
  for (const auto& tensor : tensors) by_rank.push_back(tensor.reshape({ranks, -1}));
  return at::cat(by_rank, 1).reshape({-1});
}

void split_by_rank(const at::Tensor& joined, std::vector<at::Tensor>& tensors, int ranks) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  const auto of_ranks = joined.view({ranks, -1});
  std::int64_t begin = 0;
  for (auto& tensor : tensors) {
    const auto part = tensor.numel() / ranks;
    tensor.copy_(of_ranks.narrow(1, begin, part).reshape(tensor.sizes()));
    begin += part;
  }
}

}  // namespace ddpbench
