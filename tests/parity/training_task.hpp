#pragma once
#include <nlohmann/json_fwd.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "suite/contract/processes/rank_info.hpp"

namespace ddpbench::parity {

// This process among its ranks; the group is null where it is alone.
struct Self {
  RankInfo info;
  c10::intrusive_ptr<c10d::ProcessGroup> group;
};

// Trains as python_training.train does from the same request, with the worker's own parts, and writes what came out under the same names.
void train(const nlohmann::json& request, const Self& self);

// A path of a request: "{rank}" stands for this process's.
std::string path_of(const nlohmann::json& request, const char* key, const Self& self);

}  // namespace ddpbench::parity
