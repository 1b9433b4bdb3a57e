#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// The command line of this process, with more words behind it, as a shell takes it.
std::string own_command_line(const std::vector<std::string>& more = {});

// The same to go on in the folder `out`: with --resume and, where `has_out` is not, --out; and without --launches, where the folder knows how many it
// has.
struct Continuing {
  std::string out;
  bool has_out = false, resumes = false, knows_launches = true;
};
std::string continuing_command_line(const Continuing& continuing);

}  // namespace ddpbench
