#include "suite/launch/node_probe.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "suite/base/errors.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/probe_cache.hpp"
#include "suite/launch/signal_inbox.hpp"
#include "suite/launch/watch.hpp"

namespace ddpbench {
namespace {

constexpr double kNoProgressSeconds = 120;  // of a node that starts the worker from a shared file system that is busy

// "node1.example.org" and "node1" are one.
std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

// A folder that the nodes see, where the launcher needs one; gone with the object.
class SharedFolder {
 public:
  SharedFolder() : path_(std::filesystem::path(cache_folder()) / ("probe-" + host_name() + "-" + std::to_string(::getpid()))) {}
  ~SharedFolder() {
    std::error_code absent;
    std::filesystem::remove_all(path_, absent);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// Between the lines "{" and "}": a library may have said a word of its own before or behind.
std::string answer_in(const std::string& said) {
  const auto begin = ("\n" + said).find("\n{\n"), end = said.rfind("\n}\n");
  return begin == std::string::npos || end == std::string::npos || end < begin ? "" : said.substr(begin, end + 2 - begin);
}

}  // namespace

bool runs_elsewhere(const LauncherEntry& launcher, const Allocation& allocation) {
  return launcher.reach != Reach::kThisMachine && !allocation.hosts.empty() &&
         short_name(allocation.hosts.front()) != short_name(host_name());
}

Probe probe_where_ranks_run(const LauncherEntry& launcher, const Allocation& allocation, const Installation& installation,
                            const std::string& worker_build_id) {
  if (!runs_elsewhere(launcher, allocation)) return current_probe(installation, worker_build_id);
  const SharedFolder folder;
  auto program = worker_program(installation);
  program.tokens.emplace_back("--probe");
  program.takes_spec = false;
  program.hosts = {allocation.hosts.front()};
  LaunchSpec spec;
  spec.launch_id = "probe";
  spec.part_dir = folder.path();
  spec.protocol.hang_timeout_seconds = kNoProgressSeconds;
  std::string said;
  const auto hear = [&said](std::string_view source, std::string_view line) {
    if (source.starts_with("rank")) said += std::string(line) + "\n";
  };
  const LaunchListener listener{hear, {}};
  LaunchEnd end;
  {
    SignalInbox inbox;
    end = watch(*launcher.start(spec, program, {listener, {}}), inbox);
  }
  if (end.stopped_by_signal) ::raise(end.stop_signal);
  const auto where = "what ranks can use on " + program.hosts.front() + " cannot be told: ";
  if (const auto why = why_broken(end); !why.empty()) throw CannotRun(where + why);
  auto probe = Probe::parse(answer_in(said), nullptr, false);
  if (!is_probe(probe)) throw CannotRun(where + "the worker did not answer with JSON but: " + said.substr(0, said.find('\n')));
  return probe;
}

}  // namespace ddpbench
