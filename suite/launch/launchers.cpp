#include "suite/launch/launchers.hpp"

#include <array>

#include "suite/base/errors.hpp"
#include "suite/launch/local/local_launcher.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/launch/torchrun/torchrun_launcher.hpp"

namespace ddpbench {
namespace {

constexpr std::array kLaunchers{
    LauncherEntry{"local", "processes of this machine, each bound to its share of the cores", 1, why_not_local, local_command,
                  local_binding, start_local},
    LauncherEntry{"torchrun", "PyTorch's launcher on this machine, as it comes: ranks are not bound to cores", 1,
                  why_not_torchrun, torchrun_command, torchrun_binding, start_torchrun},
};

}  // namespace

std::span<const LauncherEntry> launchers() { return kLaunchers; }

Program worker_program(const Installation& installation) { return {{installation.worker.string()}, {}, installation}; }

void require_available(const LauncherEntry& launcher, const Installation& installation) {
  const auto reason = launcher.why_not(installation);
  if (!reason.empty()) throw CannotRun("launcher '" + std::string(launcher.name) + "' is not available here: " + reason);
}

std::string pasteable_command(const LauncherEntry& launcher, LaunchSpec spec, const Program& program, const std::string& data) {
  spec.part_dir = "ddpbench-parts/" + spec.launch_id;
  if (!data.empty()) spec.data = data;
  return shell_text(launcher.command(spec, program));
}

}  // namespace ddpbench
