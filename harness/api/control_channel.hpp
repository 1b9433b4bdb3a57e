#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ddpbench {

// Lets ranks agree, on a channel of its own (never the measured process group), outside the timed steps. Collective: every rank
// makes the same calls in the same order. Throws Error when a peer is gone or silent for the hang timeout.
class ControlChannel {
 public:
  virtual ~ControlChannel() = default;
  // Gathers every rank's payload on rank 0, which alone calls `answer` with the payloads by rank, and broadcasts what it returns.
  // The cheapest call: one payload each way.
  using Answer = std::function<std::string(const std::vector<std::string>& payloads)>;
  virtual std::string from_rank0(const std::string& mine, const Answer& answer) = 0;
  virtual std::vector<std::string> all_gather(const std::string& mine) = 0;  // returns every rank's payload, by rank

  // Leaves early: the peers' next call throws Error with the reason instead of waiting for the timeout. Never throws.
  virtual void abandon(const std::string& reason) noexcept = 0;

  // Returns the reason with which a peer left before now; "" where none is known to have left. Not collective, and does not wait:
  // a rank that fails asks it, since a peer's failure may be the cause of its own.
  virtual std::string why_peer_left() noexcept = 0;

  // Ends the channel for a rank that is done: its last call. Rank 0, where the channel lives, waits in it until all have made
  // theirs.
  virtual void leave() = 0;
};

}  // namespace ddpbench
