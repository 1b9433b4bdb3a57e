#pragma once
#include <string>
#include <vector>

#include "harness/measure/blocks/critical_path.hpp"

namespace ddpbench {

// Holds what one rank tells rank 0 of a super-block.
struct SuperBlockReport {
  bool disturbed = false;  // another took this host's cores
  std::vector<std::vector<double>>
      steps_s;                      // per arm, in the launch's order: its timed steps, on the device or the wall; empty: untimed
  std::vector<PathBlock> blocks{};  // in the order in which they ran; without steps where they were not stamped
};

// Returns each arm's timed steps of the ranks together: step by step the slowest rank's; empty where a rank lacks one.
std::vector<std::vector<double>> slowest_steps_s(const std::vector<SuperBlockReport>& ranks);

// Writes the report as text; report_from_payload reads it.
std::string to_payload(const SuperBlockReport& report);
SuperBlockReport report_from_payload(const std::string& payload);  // throws Error for what is none

// Holds what rank 0 answers: how long each step of each of these blocks was to be awaited, nanoseconds (empty: not known), and
// the order of the next super-block; empty: it was the last.
struct SuperBlockAnswer {
  std::vector<std::vector<double>> awaited_ns{};
  std::vector<std::int64_t> next_order{};
};
// Writes the answer as text; answer_from_payload reads it.
std::string to_payload(const SuperBlockAnswer& answer);
SuperBlockAnswer answer_from_payload(const std::string& payload, std::size_t arms);  // throws Error for what is none

}  // namespace ddpbench
