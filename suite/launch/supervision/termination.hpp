#pragma once
#include <algorithm>
#include <chrono>
#include <optional>

namespace ddpbench {

// When the stragglers among processes that were asked to end are killed.
class Termination {
 public:
  using Clock = std::chrono::steady_clock;

  // Whether this was the first call: only then are the processes to be asked. Later calls change nothing.
  bool begin(std::chrono::milliseconds patience) {
    if (deadline_) return false;
    deadline_ = Clock::now() + patience;
    return true;
  }
  void hasten() { deadline_ = Clock::now(); }
  bool has_begun() const { return deadline_.has_value(); }

  // True once, when the time is over.
  bool takes_stragglers() {
    if (killed_ || !deadline_ || Clock::now() < *deadline_) return false;
    return killed_ = true;
  }

  // Until then; nothing where it has not begun or is done.
  std::optional<std::chrono::milliseconds> time_left() const {
    if (killed_ || !deadline_) return std::nullopt;
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()), std::chrono::milliseconds(0));
  }

 private:
  std::optional<Clock::time_point> deadline_;
  bool killed_ = false;
};

}  // namespace ddpbench
