#pragma once
#include <memory>

#include "harness/api/batch.hpp"

namespace ddpbench {

// The same batch for ever: random images made once from `seed`, labels 0 … classes-1 in turn. No loader in the step at all. In memory of
// the host; where it is trained on another `device` page-locked, so that the copy does not wait for it, however large the batch.
std::unique_ptr<BatchCursor> make_constant_cursor(std::int64_t batch_size, std::int64_t classes, std::int64_t seed,
                                                  at::MemoryFormat format, at::Device device);

}  // namespace ddpbench
