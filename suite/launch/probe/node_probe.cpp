#include "suite/launch/probe/node_probe.hpp"

#include <signal.h>

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/launch/drive_launch.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/machines/shared_folder.hpp"
#include "suite/launch/probe/probe_cache.hpp"
#include "suite/launch/processes/signal_inbox.hpp"

namespace ddpbench {
namespace {

// The first line that begins one, up to the last that ends one: a library may have said a word of its own before or behind.
Probe answer_in(const std::string& said) {
  const auto begin = ("\n" + said).find("\n{"), end = said.rfind("}\n");
  const auto answer =
      begin == std::string::npos || end == std::string::npos || end < begin ? "" : said.substr(begin, end + 1 - begin);
  return Probe::parse(answer, nullptr, false);
}

// What a program says that is started as the only rank of a launch on that node. Throws CannotRun with the reason where it cannot be.
std::string said_on(const std::string& node, const Launcher& launcher, Program program, double hang_timeout_seconds) {
  const SharedFolder folder("probe");
  program.takes_spec = false;
  program.hosts = {node};
  LaunchSpec spec;
  spec.launch_id = "probe";
  spec.part_dir = folder.path();
  spec.protocol.hang_timeout_seconds = hang_timeout_seconds;
  std::string said;
  const auto hear = [&said](std::string_view source, std::string_view line) {
    if (source.starts_with("rank")) said += std::string(line) + "\n";
  };
  const LaunchListener listener{hear, {}};
  LaunchEnd end;
  {
    SignalInbox inbox;
    end = drive_to_end(*launcher.start(spec, program, {listener, {}}), inbox);
  }
  if (end.stopped_by_signal) ::raise(end.stop_signal);
  if (const auto why = why_broken(end); !why.empty())
    throw CannotRun("what ranks can use on " + node + " cannot be told: " + why);
  return said;
}

}  // namespace

bool runs_elsewhere(const Launcher& launcher, const Allocation& allocation) {
  return launcher.scope != LauncherScope::kThisMachine && !allocation.hosts.empty() &&
         short_host_name(allocation.hosts.front()) != short_host_name(host_name());
}

Probe probe_where_ranks_run(const Launcher& launcher, const Allocation& allocation, const Installation& installation,
                            const std::string& worker_build_id, double hang_timeout_seconds) {
  if (!runs_elsewhere(launcher, allocation)) return current_probe(installation, worker_build_id);
  const auto& node = allocation.hosts.front();
  auto program = worker_program(installation);
  program.tokens.emplace_back("--probe");
  const auto said = said_on(node, launcher, program, hang_timeout_seconds);
  auto probe = answer_in(said);
  if (is_probe(probe)) return probe;
  throw CannotRun("what ranks can use on " + node +
                  " cannot be told: the worker did not answer with JSON but: " + said.substr(0, said.find('\n')));
}

AskProgram asks_where_ranks_run(const Launcher& launcher, const Allocation& allocation, const Installation& installation,
                                double hang_timeout_seconds) {
  if (!runs_elsewhere(launcher, allocation)) return ask_here;
  return [&, hang_timeout_seconds](const std::vector<std::string>& tokens) {
    auto program = worker_program(installation);
    program.tokens = tokens;
    return answer_in(said_on(allocation.hosts.front(), launcher, program, hang_timeout_seconds));
  };
}

}  // namespace ddpbench
