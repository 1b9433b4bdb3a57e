#pragma once
#include <ATen/ATen.h>

#include <vector>

namespace ddpbench {

// Lists of tensors as one buffer that a single call of MPI's can move, and the way back. Parts follow each other without a gap.

at::Tensor flat(const std::vector<at::Tensor>& tensors);
void unflatten(const at::Tensor& buffer, std::vector<at::Tensor>& tensors);

// The same of tensors that hold a part for each rank: all parts of rank 0, then all of rank 1 …
at::Tensor joined_by_rank(const std::vector<at::Tensor>& tensors, int ranks);
void split_by_rank(const at::Tensor& joined, std::vector<at::Tensor>& tensors, int ranks);

// Uninitialised, for as many as there are ranks.
at::Tensor room_for(const at::Tensor& one, int ranks);

}  // namespace ddpbench
