#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "suite/launch/processes/launch_end.hpp"

namespace ddpbench {

inline constexpr const char* kTorchrun = "torchrun";  // the launcher's name

// Holds a line that torchrun hands on for one of its ranks (kTorchrunLabel).
struct LabelledLine {
  std::size_t rank = 0;
  std::string_view text;
};

// Is what torchrun puts before such a line: $TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE.
inline constexpr const char* kTorchrunLabel = "[rank ${rank}] ";

// Returns the line without its label; nothing where it is torchrun's own.
std::optional<LabelledLine> without_label(std::string_view line);

// Finds out how the ranks ended, as torchrun tells it: it reaps them, and the driver does not see their exit codes. It tells them
// in the message of its ChildFailedError (torch/distributed/elastic/multiprocessing/errors), the same since PyTorch 1.9.
class TorchrunOutputParser {
 public:
  void hear(std::string_view line);

  // Returns whether it ends the ranks that still run: one has broken, or it was asked to.
  bool tells_of_the_end() const { return tells_of_the_end_; }

  // Returns the ends of the ranks that did not end cleanly, by rank; without last lines.
  const std::map<std::size_t, ProcessEnd>& failures() const { return failures_; }

  // Returns the rank that broke first. Of those that torchrun finds together, one that was killed is the cause and one that gave
  // up is a witness; SIGTERM is what torchrun itself ends ranks with. `stragglers`: that the driver killed.
  std::optional<std::size_t> first_failed(const std::set<std::size_t>& stragglers = {}) const;

 private:
  bool tells_of_the_end_ = false;
  bool at_root_cause_ = false;
  std::optional<std::size_t> rank_;  // of the section that is being heard
  std::optional<std::size_t> root_cause_;
  std::map<std::size_t, ProcessEnd> failures_;
};

}  // namespace ddpbench
