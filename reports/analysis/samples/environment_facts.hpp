#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ddpbench {

// What was true of one launch: text as it stands, a number as `number` (NaN: text).
struct Fact {
  std::string text;
  double number;
};
struct LaunchFacts {
  std::string launch_id;
  std::map<std::string, Fact> facts;
};

// `launches` of an environment.json; empty where the folder has none (one of an earlier version), and what is of another type is left
// out.
std::vector<LaunchFacts> launch_facts_of(const nlohmann::ordered_json& environment);

}  // namespace ddpbench
