#pragma once
#include "harness/api/torch.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {

// Holds what one collective reads and writes: contiguous tensors of one type. all_reduce and broadcast (from rank 0) work in
// place on `input` and leave `output` alone; a barrier uses neither. Of the others the larger tensor has a part for each rank.
struct CollectiveBuffers {
  at::Tensor input, output;
};

// Runs collectives in one way, to be measured beside others (CollectiveArm). Collective: all ranks make the same calls in the
// same order. Throws what the library throws where a peer is gone.
class CollectiveRunner {
 public:
  virtual ~CollectiveRunner() = default;
  // Starts a collective. Several may be begun before wait(); their buffers must live until then.
  virtual void begin(Collective kind, CollectiveBuffers& buffers) = 0;
  virtual void wait() = 0;  // waits for all that were begun; then their results may be used
  virtual void close() {}   // the last call
};

}  // namespace ddpbench
