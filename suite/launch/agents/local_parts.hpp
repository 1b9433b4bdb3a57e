#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "suite/launch/agents/agent_messages.hpp"
#include "suite/launch/agents/channel.hpp"

namespace ddpbench {

// Leaves the driver's mark in a launch's part folder, by which an agent knows that both see the same: a file with a text that
// nobody else has. Returns the text; "" where there is no such folder, as of a program that is no rank.
std::string mark_part_folder(const std::string& part_dir);

// Is a part folder of the node's own, where the node does not see the driver's; gone with the object. Its files go to the driver.
class LocalParts {
 public:
  // Returns nothing where the node sees the driver's. Else what is to be started writes here from now on, and works here where
  // the node has not the driver's working directory. Throws Error where no folder can be made.
  static std::unique_ptr<const LocalParts> where_needed(AgentStart& start);

  LocalParts(const LocalParts&) = delete;
  LocalParts& operator=(const LocalParts&) = delete;
  ~LocalParts();

  // Sends all that a rank has written, in messages of agent_verb::kPart; waits until they are sent, however long the driver takes
  // to store them. Throws Error where it cannot be read.
  void hand_over(std::int64_t rank, Channel& channel) const;

 private:
  explicit LocalParts(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

// Adds what such a message brought to the file of `rank` that it belongs to. `message`: without its verb. Throws Error for what
// is none.
void take_part(const std::string& part_dir, std::int64_t rank, const Words& message);

}  // namespace ddpbench
