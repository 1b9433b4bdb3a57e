#include "suite/launch/mpirun/mpirun_kind.hpp"

#include <map>
#include <string>

#include "suite/launch/captured_run.hpp"
#include "suite/launch/find_program.hpp"

namespace ddpbench {

MpirunKind mpirun_kind_in(std::string_view version) {
  const auto says = [version](std::string_view word) { return version.find(word) != std::string_view::npos; };
  return says("HYDRA") || says("Hydra") || says("Intel(R) MPI") || says("mvapich") ? MpirunKind::kHydra : MpirunKind::kOpenMpi;
}

MpirunKind installed_mpirun() {
  constexpr double kSeconds = 20;
  static std::map<std::string, MpirunKind> known;
  const auto program = find_program("mpirun");
  if (program.empty()) return MpirunKind::kOpenMpi;
  const auto [found, is_new] = known.try_emplace(program, MpirunKind::kOpenMpi);
  if (is_new) found->second = mpirun_kind_in(run_captured({{program, "--version"}, {}, {}, {}}, kSeconds).out);
  return found->second;
}

}  // namespace ddpbench
