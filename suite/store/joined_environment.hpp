#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddpbench {

struct FolderEnvironment {
  std::string name;
  nlohmann::ordered_json environment;
  std::map<std::string, std::string>
      ids;  // of its launches that ran: what they are called in the whole; one that is missing is left out
};

// One environment.json of several folders. What all of them say stands once. What differs stands by folder ({"job-1": …}); where it says
// what the launches ran on (versions, machine, steering variables) it is a fact of each of that folder's launches too, and so is the folder
// itself as `job`: the audit then sees it. One folder's stays as it is. Throws UsageError where the folders were written by builds whose tables of
// arms differ.
nlohmann::ordered_json joined_environment(const std::vector<FolderEnvironment>& folders);

}  // namespace ddpbench
