#pragma once
#include <nlohmann/json_fwd.hpp>

#include "suite/contract/vocabulary.hpp"

namespace ddpbench {

// The tables of this build as one vocabulary: what `--list` prints and what arms' names are parsed with.
Vocabulary worker_vocabulary();

// What this machine has of it: what `--probe` prints; `--probe whole` adds what can only be told by loading LibTorch's CUDA libraries, which
// takes half a second and is done anyway where there is a GPU.
nlohmann::ordered_json probe_machine(bool whole);

}  // namespace ddpbench
