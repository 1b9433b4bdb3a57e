#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ddpbench {

// How ranks agree: on a channel of its own (never the measured process group), outside the timed steps. Collective: every rank makes
// the same calls in the same order. Throws Error when a peer is gone or silent for the hang timeout.
class ControlChannel {
 public:
  virtual ~ControlChannel() = default;
  // Rank 0 gathers every rank's payload and broadcasts one answer: `answer` is called there alone, with the payloads by rank. The cheapest
  // call: one payload each way.
  using Answer = std::function<std::string(const std::vector<std::string>& payloads)>;
  virtual std::string from_rank0(const std::string& mine, const Answer& answer) = 0;
  virtual std::vector<std::string> all_gather(const std::string& mine) = 0;  // every rank's payload, by rank

  // This rank leaves: the peers' next call throws Error with the reason instead of waiting for the timeout. Never throws.
  virtual void abandon(const std::string& reason) noexcept = 0;

  // With what reason a peer left before now; "" where none is known to have. Not collective, waits for nobody: a rank that fails asks it, for
  // its own failure may be no more than what the other one's did to it.
  virtual std::string why_peer_left() noexcept = 0;

  // The last call of a rank that is done. Rank 0, where the channel lives, waits in it until everyone has made theirs.
  virtual void leave() = 0;
};

}  // namespace ddpbench
