#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

#include "harness/api/batch.hpp"

namespace ddpbench {

// Memory for a cursor's batches, used again in turn once nobody else holds it: fresh memory costs a page fault for every 4 KiB, which is
// more than filling it. A batch that is still held keeps its memory, and another takes its place here. Page-locked memory is not
// used again here: a copy to the device may still be reading it, and PyTorch's host allocator, which knows, does the same for it.
class BatchBuffers {
 public:
  // `count`: as many as are in use at a time; `images`: type, layout and page-locking of the images.
  BatchBuffers(std::size_t count, const at::TensorOptions& images) : images_(images), kept_(count) {}

  // For `count` images of 3x32x32, unset.
  Batch take(std::int64_t count) {
    if (images_.pinned_memory()) return fresh(count);
    auto& kept = kept_[next_];
    next_ = (next_ + 1) % kept_.size();
    if (!is_free(kept, count)) kept = fresh(count);
    return kept;
  }

 private:
  Batch fresh(std::int64_t count) const {
    const auto labels = at::TensorOptions().dtype(at::kLong).pinned_memory(images_.pinned_memory());
    return {at::empty({count, 3, 32, 32}, images_), at::empty({count}, labels)};
  }

  // Views of a tensor hold its storage, copies of its handle the tensor.
  static bool is_alone(const at::Tensor& tensor) { return tensor.use_count() == 1 && tensor.storage().use_count() == 1; }

  static bool is_free(const Batch& batch, std::int64_t count) {
    const bool fits = batch.input.defined() && batch.input.size(0) == count;
    if (!fits || !is_alone(batch.input) || !is_alone(batch.target)) return false;
    std::atomic_thread_fence(std::memory_order_acquire);  // its last reader may have been another thread
    return true;
  }

  at::TensorOptions images_;
  std::vector<Batch> kept_;
  std::size_t next_ = 0;
};

}  // namespace ddpbench
