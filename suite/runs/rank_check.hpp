#pragma once
#include <string>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"

namespace ddpbench {

// Names a program of ranks, and how it speaks of itself: "ddpbench-worker: cannot read …".
struct RankProgram {
  std::string speaker;
  std::vector<std::string> tokens;
  // Of a check that came to its end and found nothing: code of the user's may end the program before. "": it is not asked.
  std::string last_line{};
};

// Bounds a check: LibTorch, Python and what is looked at, from a shared file system.
inline constexpr double kRankCheckSeconds = 300;  // LibTorch, Python and what is looked at, from a shared file system

// Returns what the program says against a launch that it only looks at (`--check`), without its own name; "": nothing. `subject`
// names what is looked at, for a program that ends without a word of its own. Ends what it has forked with it, at the latest
// after kRankCheckSeconds. Throws CannotRun where it cannot be started.
std::string mistake_told_by(const RankProgram& program, const LaunchSpec& spec, const std::string& subject);

}  // namespace ddpbench
