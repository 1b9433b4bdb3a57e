#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/api/workload.hpp"
#include "harness/machine_probe.hpp"
#include "harness/rank_process.hpp"
#include "harness/worker_vocabulary.hpp"
#include "suite/contract/launch_spec.hpp"
#include "suite/contract/legal_launch.hpp"
#include "suite/contract/registry.hpp"

namespace ddpbench {
namespace {

constexpr const char* kProgram = "ddpbench-worker";

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
    PlainHost host;
    return run_rank_process(kProgram, tokens, host);
  }
  return ExitCode::kDone;
}

ExitCode run_reporting_errors(const std::vector<std::string>& tokens) {
  try {
    return run(tokens);
  } catch (const std::exception& error) {
    return complain_of(kProgram, error);
  }
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) {
  ddpbench::leave_process(ddpbench::run_reporting_errors({arguments + 1, arguments + count}));
}
