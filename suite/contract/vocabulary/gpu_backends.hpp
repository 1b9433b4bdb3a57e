#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace ddpbench {

// Returns whether ranks of the backend occupy a GPU each, by name: results say it of folders that were written elsewhere, where
// no vocabulary is.
inline bool occupies_gpus(std::string_view backend) {
  constexpr std::array<std::string_view, 1> kGpuBackends{"nccl"};
  return std::find(kGpuBackends.begin(), kGpuBackends.end(), backend) != kGpuBackends.end();
}

}  // namespace ddpbench
