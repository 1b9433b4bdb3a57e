#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/installation.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/processes/launch_end.hpp"
#include "suite/launch/rank_progress.hpp"

namespace ddpbench {

// Says what every rank of a launch executes.
struct Program {
  std::vector<std::string> tokens;                 // the executable; the launch specification's own tokens follow
  std::map<std::string, std::string> environment;  // added to the driver's
  Installation installation;                       // where a launcher finds what it needs itself
  std::vector<std::string> hosts{};                // the nodes that are allocated; empty: the launcher knows
  bool takes_spec = true;                          // false: nothing follows
};

// Says what a launch is started with: `copies` processes of one command, all alike but for the variables `numbered`, which hold
// the number of each process, from 0. One process may stand for many ranks.
struct LaunchCommand {
  std::vector<std::string> tokens;
  std::map<std::string, std::string> environment{};  // added to the driver's
  std::int64_t copies = 1;
  std::vector<std::string> numbered{};
};

// Hears what a launch says while it runs.
struct LaunchListener {
  std::function<void(std::string_view source, std::string_view line)> said;  // source: "rank 1", "torchrun"
  std::function<void(const RankProgress&)> progressed;                       // rank 0 only; such lines are not `said`
};

// Says how long ranks may take to end when they are asked to. A launch must be gone ten seconds after it broke or was stopped; a
// stopped one gets the longer time, to finish its step and write its last rows.
struct TerminationTimeouts {
  std::chrono::milliseconds after_failure{5000};
  std::chrono::milliseconds after_stop{8000};
  std::chrono::milliseconds last_words{3000};  // of a launcher that alone knows how its ranks ended, when they are dead
};

// Holds who hears a launch, and how long its ranks may take to end.
struct Supervision {
  LaunchListener listener;
  TerminationTimeouts patience;
};

// A launch from its start to its end; one at a time. Its destruction leaves no process behind. Nobody who drives it knows what it
// consists of: drive_to_end() does the driving.
class RunningLaunch {
 public:
  RunningLaunch() = default;
  virtual ~RunningLaunch() = default;
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;

  // Takes note of what has happened and never waits: hands on what was said; when a rank has broken, or none moves any more, sees
  // that the others end, and terminates the stragglers. Returns the end, once there is nothing left of the launch.
  virtual std::optional<LaunchEnd> poll() = 0;

  // Asks the ranks to finish their step and write their last rows; asked again, ends them at once.
  virtual void stop() = 0;

  // Says when poll() has something to do: one of the descriptors can be read, the time is over, or a child of this process has
  // ended.
  struct Wakeup {
    std::vector<int> readable;
    std::optional<std::chrono::milliseconds> after;
  };
  virtual Wakeup wakeup() const = 0;
};

// Says which rank gets which cores of its machine.
struct Binding {
  bool is_bound = false;
  std::string words;  // "rank 0: 0-3, rank 1: 4-7", or why no rank is bound
  // What holds the ranks back from cores that they have (cpu_quota_warning); "": nothing, or not known from here.
  std::string quota{};
};

// Says where the ranks of a launch can be.
enum class LauncherScope {
  kThisMachine,
  kGivenNodes,  // the nodes that are allocated or named; this machine where there are none
  kAnyNodes,    // the same, but where none are known the launcher finds them itself
  kNodesOfMpi,  // the same, where a batch system or a host file that only MPI knows may name some; else this machine
};

// Describes one way to start a launch. `command` is pure and known before any process; `start` adds to its environment what only
// a run knows.
struct Launcher : LauncherEntry {
  LauncherScope scope;
  std::string (*why_not)(const Installation&, const Allocation&);  // why it cannot start anything here; empty: it can
  LaunchCommand (*command)(const LaunchSpec&, const Program&);
  Binding (*binding)(std::int64_t ranks_per_node,
                     const std::vector<std::string>& hosts);  // of a launch on nodes, or where none are known on this machine
  std::unique_ptr<RunningLaunch> (*start)(const LaunchSpec&, const Program&, Supervision);  // throws CannotRun
  bool (*says_job_is_over)(std::string_view reason) = nullptr;  // of a launch that failed: no other can start in this job
  bool starts_mpi = false;                                      // its processes are MPI's: backend mpi needs that
};

}  // namespace ddpbench
