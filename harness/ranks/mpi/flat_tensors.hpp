#pragma once
#include <ATen/ATen.h>

#include <vector>

namespace ddpbench {

// Lists of tensors as one buffer that a single call of MPI's can move, and the way back. Parts follow each other without a gap.

// Returns the tensors' elements in one new tensor of one dimension.
at::Tensor flat(const std::vector<at::Tensor>& tensors);
// Copies the buffer's elements back into the tensors, in their order.
void unflatten(const at::Tensor& buffer, std::vector<at::Tensor>& tensors);

// Does the same with tensors that hold a part for each rank: all parts of rank 0, then all of rank 1 …
at::Tensor joined_by_rank(const std::vector<at::Tensor>& tensors, int ranks);
// Copies what joined_by_rank made back into the tensors.
void split_by_rank(const at::Tensor& joined, std::vector<at::Tensor>& tensors, int ranks);

// Returns an uninitialised tensor of one dimension with room for `ranks` times `one`.
at::Tensor room_for(const at::Tensor& one, int ranks);

}  // namespace ddpbench
