#pragma once

namespace ddpbench {

// The network under the measured process group. One per launch, owned by its RankGroup.
class Network {
 public:
  virtual ~Network() = default;

  // While it is ideal every collective is complete when its call returns, and tensors keep this rank's values. Outside of collectives, on
  // all ranks between the same two of them: a rank that is left out waits for its peers until the timeout.
  virtual void make_ideal(bool ideal) = 0;
};

}  // namespace ddpbench
