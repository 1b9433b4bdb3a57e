#include "suite/base/profiler.hpp"

#include <initializer_list>

#include "suite/base/environment_rules.hpp"
#include "suite/base/printable.hpp"

namespace ddpbench {
namespace {

// The first of them that is set; "": none is.
std::string first_of(const std::map<std::string, std::string>& variables, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    if (const auto found = variables.find(name); found != variables.end() && !found->second.empty()) return found->second;
  }
  return "";
}

// nsys names its own library for CUDA and for NVTX.
bool is_of_nsys(const std::string& file) { return file.find("libToolsInjection") != std::string::npos; }

}  // namespace

std::string profiler_of(const std::map<std::string, std::string>& variables) {
  const auto nvtx = first_of(variables, {"NVTX_INJECTION64_PATH", "NVTX_INJECTION32_PATH"});
  const auto cuda = first_of(variables, {"CUDA_INJECTION64_PATH", "CUDA_INJECTION32_PATH"});
  if (!first_of(variables, {"NSYS_PROFILING_SESSION_ID"}).empty() || is_of_nsys(nvtx) || is_of_nsys(cuda)) return "nsys";
  if (!cuda.empty()) return "a CUDA tool (" + printable(cuda) + ")";
  if (!nvtx.empty()) return "an NVTX tool (" + printable(nvtx) + ")";
  return first_of(variables, {"KINETO_USE_DAEMON", "KINETO_CONFIG"}).empty() ? "" : "kineto";
}

std::string own_profiler() {
  auto variables = steering_variables();
  variables.merge(variables_of(EnvironmentPolicy::kOfTask));
  return profiler_of(variables);
}

}  // namespace ddpbench
