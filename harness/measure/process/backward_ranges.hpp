#pragma once
#include "harness/api/torch.hpp"

namespace ddpbench {

// Shows, while it lives, each node of autograd's graph as an NVTX range of its name (`ConvolutionBackward0`), on the thread that
// runs it. On a GPU that is a thread of autograd's own, on which the main thread's ranges do not show. A node costs about a
// microsecond more, so this is for profiles alone.
class BackwardRanges {
 public:
  BackwardRanges();
  ~BackwardRanges();
  BackwardRanges(const BackwardRanges&) = delete;
  BackwardRanges& operator=(const BackwardRanges&) = delete;

 private:
  at::CallbackHandle callback_;
};

}  // namespace ddpbench
