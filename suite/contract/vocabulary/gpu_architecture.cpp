#include "suite/contract/vocabulary/gpu_architecture.hpp"

#include <algorithm>
#include <string_view>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

// The number behind "sm_" or "compute_"; 0 for what is neither, or one device's own variant ("sm_90a").
int number_behind(const std::string& prefix, const std::string& architecture) {
  if (architecture.rfind(prefix, 0) != 0) return 0;
  return parse_number<int>(std::string_view(architecture).substr(prefix.size())).value_or(0);
}

bool runs(const std::string& architecture, int sm) {
  if (const auto binary = number_behind("sm_", architecture); binary != 0) return binary / 10 == sm / 10 && binary <= sm;
  const auto source = number_behind("compute_", architecture);
  return source != 0 && source <= sm;
}

}  // namespace

bool has_kernels_for(const std::vector<std::string>& architectures, int sm) {
  return std::any_of(architectures.begin(), architectures.end(), [&](const auto& one) { return runs(one, sm); });
}

}  // namespace ddpbench
