#include <malloc.h>
#include <signal.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "harness/api/torch.hpp"
#include "harness/api/workload.hpp"
#include "harness/machine_probe.hpp"
#include "harness/measure/stop_signal.hpp"
#include "harness/rank_run.hpp"
#include "harness/worker_vocabulary.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/driver_death.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/contract/heartbeat.hpp"
#include "suite/contract/legal_launch.hpp"
#include "suite/contract/registry.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr const char* kHelp =
    "ddpbench-worker: one rank of one launch: trains, measures, writes rows. `ddpbench run` starts it; by hand:\n"
    "  ddpbench-worker --launch-id L --workload null --workload-option data=constant --strategy single --arms raw,trainer "
    "--part-dir DIR\n"
    "It reads its rank from the variables of torchrun, mpirun or srun; without them it is the only rank.\n"
    "  --list                      the tables of this build as JSON\n"
    "  --probe [whole]             what of it this machine can use, as JSON; whole: LibTorch's CUDA libraries too where there is "
    "no GPU\n"
    "  --check FLAGS               whether a launch of these flags could begin: values, and weights that fit the model; trains "
    "nothing\n";

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

ExitCode run_launch(const std::vector<std::string>& tokens) {
  die_with_driver();
  own_heartbeat();             // from here on the driver knows this process
  ::signal(SIGXFSZ, SIG_IGN);  // a file that reaches the limit (`ulimit -f`): its write fails, with a reason
  const auto given = launch_spec_from_tokens(tokens);
  const auto info = rank_info_from_environment();
  require_sound_start(given, info);
  const auto spec = legal_launch(given, worker_vocabulary());
  make_part_dir(spec.part_dir);
  keep_freed_memory();
  watch_stop_signals();
  at::set_num_threads(static_cast<int>(spec.protocol.threads_per_rank));
  const auto outcome = run_rank(spec, info);
  write_outcome(spec.part_dir, info.rank, outcome);
  if (!outcome.reason.empty()) complain(outcome.reason);
  return exit_code(outcome.status);
}

// The launch that these tokens describe could begin here, but for its ranks and its data. That costs what the model costs to make.
ExitCode check_launch(const std::vector<std::string>& tokens) {
  auto spec = legal_launch(launch_spec_from_tokens(tokens), worker_vocabulary());
  spec.options[Holder::kWorkload]["data"] = "constant";
  find_entry(workloads(), "workload", spec.workload)
      .recipe({spec.options[Holder::kWorkload], /*batch_size_per_rank=*/1, /*rank=*/0, spec.world_size(), spec.seed, spec.data,
               at::kCPU});
  return ExitCode::kDone;
}

ExitCode run(const std::vector<std::string>& tokens) {
  const std::string first = tokens.empty() ? "--help" : tokens.front();
  if (first == "--help") {
    std::cout << kHelp << launch_spec_help();
  } else if (first == "--list") {
    std::cout << to_json(worker_vocabulary()).dump(1) << "\n";
  } else if (first == "--probe") {
    const bool whole = tokens.size() > 1 && tokens[1] == "whole";
    std::cout << probe_machine(whole).dump(1) << "\n";
  } else if (first == "--check") {
    return check_launch({tokens.begin() + 1, tokens.end()});
  } else {
    return run_launch(tokens);
  }
  return ExitCode::kDone;
}

ExitCode run_reporting_errors(const std::vector<std::string>& tokens) {
  try {
    return run(tokens);
  } catch (const UsageError& error) {
    complain("ddpbench-worker: " + join(error.messages(), "\nddpbench-worker: "));
    return ExitCode::kUsage;
  } catch (const std::exception& error) {
    complain("ddpbench-worker: " + failure_text(error));
    return ExitCode::kDoneWithFailures;
  }
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) {
  const auto code = ddpbench::run_reporting_errors({arguments + 1, arguments + count});
  std::fflush(nullptr);
  // Not through destructors of the backend: after a peer died they wait for its connection.
  std::_Exit(static_cast<int>(code));
}
