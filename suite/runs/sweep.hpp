#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/launch/installation.hpp"
#include "suite/launch/launch_outcome.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"
#include "suite/launch/progress.hpp"
#include "suite/plan/plan.hpp"
#include "suite/runs/planned_data.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Counts how the launches of a run ended.
struct SweepCounts {
  int ok = 0, skipped = 0, failed = 0, wrong = 0, partial = 0;  // failed: those of an arm alone, too
  bool stopped = false;          // by a signal, or the job is over: the launches after it never ran
  std::string lost;              // not empty: results could no longer be stored, for this reason
  std::set<std::string> told{};  // "L0001 " and status_text: told as launches ended
};

// Returns "failed: no space left on device".
inline std::string status_text(const std::string& status, const std::string& reason) { return status + ": " + reason; }

// Says when the command began. Its first launch reports the time from then to its first step.
struct CommandStart {
  std::chrono::system_clock::time_point time;
  bool is_first = true;  // no launch of the command ran before
};

// Holds what a sweep is run with; it must outlive the Sweep.
struct SweepSetup {
  const Plan& plan;
  const Installation& installation;
  const Launcher& launcher;
  const std::map<std::string, DataFolder>& data;
  CommandStart started;
  std::vector<std::string> hosts{};  // the nodes that are allocated
  std::string side{};                // what this sweep is called beside others that take turns with it; "": it is alone
  int sides = 1;                     // how many take turns
};

// Runs the launches of a plan one after the other and commits each as it ends; one per run.
class Sweep {
 public:
  Sweep(const SweepSetup& setup, ResultsFolder& folder, ProgressDisplay& display);

  // Runs every launch but those that the folder has finished. Goes on after a launch that failed, not after a signal or where the
  // job is over. Throws CannotRun where no worker can start at all.
  SweepCounts run(SignalInbox& inbox);

  // Runs the next launch of the plan, for sweeps that take turns. False: there is none, or the sweep is stopped or can store
  // nothing more.
  bool advance(SignalInbox& inbox);

  // Runs the launch of that name alone, out of its turn; does nothing where the plan has none, or it was taken already.
  void take(const std::string& launch_id, SignalInbox& inbox);
  bool has_ended() const { return counts_.stopped || !counts_.lost.empty(); }  // before its last launch
  const SweepCounts& counts() const { return counts_; }

 private:
  bool is_stopped(SignalInbox& inbox);
  bool needs_no_run(const PlannedLaunch& launch) const;
  void take(std::size_t index, SignalInbox& inbox);
  void run_launch(std::size_t index, SignalInbox& inbox);
  void measure(const PlannedLaunch& launch, SignalInbox& inbox);
  void store(const LaunchResult& result);
  void add_extra(const PlannedLaunch& launch, const std::string& data, SignalInbox& inbox, LaunchResult& result);
  void tell_withheld();  // variables that the ranks do not get
  LaunchOutcome run_ranks(const LaunchSpec& spec, SignalInbox& inbox, double& wall_seconds);
  Program program(const LaunchSpec& spec);
  void announce(std::size_t index);

  const SweepSetup& setup_;
  ResultsFolder& folder_;
  ProgressDisplay& display_;
  SweepCounts counts_;
  std::size_t next_ = 0;  // place of the next launch in the plan
  std::set<std::size_t> taken_;
  double seconds_left_ = 0;  // a bound on the measuring time of the launches that still run
  bool any_started_ = false;
};

// Stores the launches that the plan skips, with their reasons.
void commit_skips(ResultsFolder& folder, const Plan& plan);

}  // namespace ddpbench
