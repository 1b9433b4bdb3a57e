#include "suite/launch/launchers/mpirun_kind.hpp"

#include <map>
#include <string>

#include "suite/base/errors.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/find_program.hpp"

namespace ddpbench {
namespace {

InstalledMpirun asked(const std::string& program) {
  constexpr double kSeconds = 30;
  try {
    const auto run = run_captured({{program, "--version"}, {}, {}, {}}, kSeconds);
    if (!run.clean()) return {MpirunKind::kOpenMpi, program + " --version " + how_it_ended(run)};
    return {mpirun_kind_in(run.out), ""};
  } catch (const CannotRun& error) {
    return {MpirunKind::kOpenMpi, error.what()};
  }
}

}  // namespace

MpirunKind mpirun_kind_in(std::string_view version) {
  const auto says = [version](std::string_view word) { return version.find(word) != std::string_view::npos; };
  return says("HYDRA") || says("Hydra") || says("Intel(R) MPI") || says("mvapich") ? MpirunKind::kHydra : MpirunKind::kOpenMpi;
}

const InstalledMpirun& installed_mpirun() {
  static std::map<std::string, InstalledMpirun> known;
  const auto program = find_program("mpirun");
  const auto [found, is_new] = known.try_emplace(program);
  if (is_new) found->second = program.empty() ? InstalledMpirun{{}, "mpirun is not in $PATH"} : asked(program);
  return found->second;
}

}  // namespace ddpbench
