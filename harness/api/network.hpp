#pragma once

namespace ddpbench {

// Controls the network under the measured process group. There is one per launch, owned by its RankGroup.
class Network {
 public:
  virtual ~Network() = default;

  // Switches the ideal network on or off: while it is on, every collective is complete when its call returns, and tensors keep
  // this rank's values. To be called outside of collectives, on all ranks between the same two of them: a rank that is left out
  // waits for its peers until the timeout.
  virtual void make_ideal(bool ideal) = 0;
};

}  // namespace ddpbench
