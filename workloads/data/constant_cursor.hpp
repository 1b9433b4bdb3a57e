#pragma once
#include <memory>

#include "harness/api/batch.hpp"

namespace ddpbench {

// The same batch for ever: random images made once from `seed`, labels 0 … classes-1 in turn. No loader in the step at all.
std::unique_ptr<BatchCursor> make_constant_cursor(std::int64_t batch_size, std::int64_t classes, std::int64_t seed,
                                                  at::MemoryFormat format);

}  // namespace ddpbench
