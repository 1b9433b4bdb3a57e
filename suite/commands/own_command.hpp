#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Returns the command line of this process, with more words behind it, as a shell takes it.
std::string own_command_line(const std::vector<std::string>& more = {});

// Says how to go on in the folder `out`; each flag tells what the command line of this process or the folder has already.
struct Continuing {
  std::string out;
  bool has_out = false, resumes = false, knows_launches = true;
};

// Returns the same command line to go on: with --out and --resume where it has none, and without --launches where the folder
// knows how many it has.
std::string continuing_command_line(const Continuing& continuing);

}  // namespace ddpbench
