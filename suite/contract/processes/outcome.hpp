#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddpbench {

// Holds how one rank says that its launch ended. The worker writes it as `outcome.<rank>.json` in the part folder, by rename,
// last of all; a rank without one died.
struct Outcome {
  std::string status;
  std::string reason;
  std::map<std::string, std::pair<std::string, std::string>> arms;  // those that differ from the launch: status, reason
  std::string host;
  std::map<std::string, std::string> facts{};     // what may move a measurement, by name (suite/base/process_facts.hpp)
  std::map<std::string, std::string> versions{};  // by arm: what it ran on, "torch=2.11.0;python=3.11.7;lightning=2.6.6"
};

// Returns the path of a file of a launch's part folder. A rank appends whole super-blocks to its own; the driver merges and
// removes them.
std::string steps_part(const std::string& part_dir, std::int64_t rank);    // steps.<rank>.csv: StepRow, no header
std::string blocks_part(const std::string& part_dir, std::int64_t rank);   // blocks.<rank>.csv: BlockRow, no header
std::string metrics_part(const std::string& part_dir, std::int64_t rank);  // metrics.<rank>.csv: MetricRow, no header
std::string collectives_part(const std::string& part_dir,
                             std::int64_t rank);  // collectives.<rank>.csv: CollectiveSampleRow, no header
std::string trace_part(const std::string& part_dir, std::int64_t rank,
                       std::string_view suffix);  // trace.<rank> and the suffix (trace_suffix)

// Returns whether a file of this name, without a folder, is one that the rank may leave there.
bool is_part_name(std::string_view name, std::int64_t rank);

// Returns the names of what the rank has left there; its outcome is the last.
std::vector<std::string> part_names(const std::string& part_dir, std::int64_t rank);

// Writes the outcome whole, by rename. Throws Error with the path and the system's reason.
void write_outcome(const std::string& part_dir, std::int64_t rank, const Outcome& outcome);

// Reads the outcome; nothing where the rank left none. Throws Error where it cannot be read or is of another version.
std::optional<Outcome> read_outcome(const std::string& part_dir, std::int64_t rank);

}  // namespace ddpbench
