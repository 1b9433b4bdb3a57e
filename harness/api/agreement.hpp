#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ddpbench {

// How ranks agree: on a channel of its own (never the measured process group), outside the timed steps. Collective: every rank makes
// the same calls in the same order. Throws Error when a peer is gone or silent for the hang timeout.
class Agreement {
 public:
  virtual ~Agreement() = default;
  // Rank 0 hears every rank's word and answers all of them: `answer` is called there alone, with the words by rank. The cheapest call: one
  // word each way.
  using Answer = std::function<std::string(const std::vector<std::string>& words)>;
  virtual std::string from_rank0(const std::string& mine, const Answer& answer) = 0;
  virtual std::vector<std::string> from_all(const std::string& mine) = 0;  // everyone gets every rank's word, by rank

  // This rank leaves: the peers' next call throws Error with the reason instead of waiting for the timeout. Never throws.
  virtual void abandon(const std::string& reason) noexcept = 0;

  // The last call of a rank that is done. Rank 0, where the channel lives, waits in it until everyone has made theirs.
  virtual void leave() = 0;
};

}  // namespace ddpbench
