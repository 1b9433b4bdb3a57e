#include "harness/rank_process.hpp"

#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "harness/api/torch.hpp"
#include "harness/launch/worker_vocabulary.hpp"
#include "harness/measure/process/profiler_window.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/probe/given_cores.hpp"
#include "harness/rank_run.hpp"
#include "suite/base/environment_rules.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/profiler.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/legal_launch.hpp"
#include "suite/contract/processes/driver_death.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

ExitCode exit_code(const std::string& outcome) {
  if (outcome == status::kOk) return ExitCode::kDone;
  return outcome == status::kPartial ? ExitCode::kStopped : ExitCode::kDoneWithFailures;
}

// In one piece: a launcher that hands on the output of several ranks may cut a line between two pieces.
void complain(const std::string& line) { std::cerr << line + "\n" << std::flush; }

// What a step frees, the next one needs again. By default glibc gives large blocks back to the system at once: a tenth of ResNet-18's
// backward was page faults. For all arms alike.
void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

// LibTorch's OpenMP binds threads, and lowers their number, when it is loaded: the driver withholds what makes it do so, and by hand nobody does.
void require_own_threads() {
  const auto variables = variables_of(EnvironmentPolicy::kCleared);
  if (variables.empty()) return;
  const auto& [name, value] = *variables.begin();
  throw UsageError(name + "=" + value + " is set, and says where threads run or how many there are: ddpbench does; unset it");
}

void run_where_told() {
  require_own_threads();
  if (const auto found = restore_core_affinity(); !found.empty())
    complain("put back on its cores: a library had bound it to " + found);
}

void set_threads(std::int64_t wanted) {
  at::set_num_threads(static_cast<int>(wanted));
  if (at::get_num_threads() != wanted)
    throw CannotRun("threads_per_rank = " + std::to_string(wanted) + ", and this LibTorch computes with " +
                    std::to_string(at::get_num_threads()));
}

// Before the ranks wait for each other: one that is alone would wait, or measure something else than was planned.
void require_sound_start(const LaunchSpec& spec, const RankInfo& info) {
  if (spec.part_dir.empty()) throw UsageError("--part-dir is missing: the folder that takes the part files of this launch");
  require_world_size(info, spec.world_size());
}

void make_part_dir(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw CannotRun("cannot make the part folder " + path + ": " + error.message());
}

ExitCode run_launch(const std::vector<std::string>& tokens, RankRuntime& runtime) {
  die_with_driver();
  own_heartbeat();             // from here on the driver knows this process
  ::signal(SIGPIPE, SIG_IGN);  // gloo may write to a peer that died: an error that it tells, and no silent end of this rank
  ::signal(SIGXFSZ, SIG_IGN);  // a file that reaches the limit (`ulimit -f`): its write fails, with a reason
  const auto given = launch_spec_from_tokens(tokens);
  const auto info = rank_info_from_environment();
  require_sound_start(given, info);
  run_where_told();
  const auto spec = legal_launch(given, worker_vocabulary());
  make_part_dir(spec.part_dir);
  keep_freed_memory();
  watch_stop_signals();
  set_threads(spec.protocol.threads_per_rank);
  const auto outcome = run_rank(spec, info, runtime);
  write_outcome(spec.part_dir, info.rank, outcome);
  close_profiler_window();
  if (!outcome.reason.empty()) complain(outcome.reason);
  return exit_code(outcome.status);
}

// A rank ends without destructors: LibTorch's may wait for a peer for ever. A profiler from outside writes the tail of its trace in one,
// so under a profiler they run; whatever they do, the rank's exit code stands.
int exit_code_of_process = 0;
constexpr unsigned kMostSecondsAtExit = 10;

void end_at_once(int /*signal*/) { std::_Exit(exit_code_of_process); }

}  // namespace

std::unique_ptr<Arm> WorkerRuntime::make_arm(const RuntimeArmRequest& request) {
  throw UsageError("arm '" + request.facts.name +
                   "' runs in Python: start this launch with a Python's ddpbench_arms in place of ddpbench-worker");
}

ExitCode complain_of(const std::string& program, const std::exception& error) {
  if (const auto* usage = dynamic_cast<const UsageError*>(&error)) {
    complain(program + ": " + join(usage->messages(), "\n" + program + ": "));
    return ExitCode::kUsage;
  }
  complain(program + ": " + failure_text(error));
  return ExitCode::kDoneWithFailures;
}

ExitCode run_rank_process(const std::string& program, const std::vector<std::string>& tokens, RankRuntime& runtime) {
  try {
    return run_launch(tokens, runtime);
  } catch (const std::exception& error) {
    return complain_of(program, error);
  }
}

void leave_process(ExitCode code) {
  std::fflush(nullptr);
  exit_code_of_process = static_cast<int>(code);
  if (own_profiler().empty()) end_at_once(0);
  for (const int trouble : {SIGALRM, SIGSEGV, SIGBUS, SIGABRT}) ::signal(trouble, end_at_once);
  ::alarm(kMostSecondsAtExit);
  std::exit(exit_code_of_process);
}

}  // namespace ddpbench
