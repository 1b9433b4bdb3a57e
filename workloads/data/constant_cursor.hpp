#pragma once
#include <memory>

#include "harness/api/batch.hpp"
#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Makes a cursor that gives the same batch for ever: random images of the set's shape, made once from `seed`, labels 0 …
// classes-1 in turn. There is no loader in the step at all. The batch is in memory of the host, page-locked where it is trained
// on another `device`, so that the copy does not wait for it, however large it is.
std::unique_ptr<BatchCursor> make_constant_cursor(std::int64_t batch_size, const DataSet& set, std::int64_t seed,
                                                  at::MemoryFormat format, at::Device device);

}  // namespace ddpbench
