#pragma once
#include <nlohmann/json_fwd.hpp>

namespace ddpbench {

// What this machine and its libraries have of the vocabulary: what `--probe` prints; `--probe whole` adds what can only be told by loading
// LibTorch's CUDA libraries, which takes half a second and is done anyway where there is a GPU.
nlohmann::ordered_json probe_machine(bool whole);

}  // namespace ddpbench
