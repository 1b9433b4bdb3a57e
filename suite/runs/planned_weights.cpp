#include "suite/runs/planned_weights.hpp"

#include <set>
#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/launch/captured_run.hpp"
#include "workloads/formats/weights_file.hpp"

namespace ddpbench {
namespace {

constexpr double kTimeoutSeconds = 300;  // LibTorch and the weights from a shared file system
constexpr const char* kOption = "weights";
constexpr const char* kSpeaker = "ddpbench-worker: ";

std::string weights_of(const PlannedLaunch& launch) {
  const auto& options = launch.spec.options[Holder::kWorkload];
  const auto found = options.find(kOption);
  return !launch.skip_reason.empty() || found == options.end() ? "" : found->second;
}

// A launch for each model and file: what is trained, and how it is made.
std::vector<const PlannedLaunch*> different_models(const Plan& plan) {
  std::set<std::pair<std::string, Options::Map>> seen;
  std::vector<const PlannedLaunch*> launches;
  for (const auto& launch : plan.launches) {
    if (weights_of(launch).empty()) continue;
    if (seen.emplace(launch.spec.workload, launch.spec.options[Holder::kWorkload]).second) launches.push_back(&launch);
    if (launches.size() == kMostModels) break;
  }
  return launches;
}

std::string what_the_worker_says(const CapturedRun& run, const std::string& weights) {
  const auto said = run.err.find(kSpeaker);
  auto text = said == std::string::npos ? run.err : run.err.substr(said + std::string(kSpeaker).size());
  while (text.ends_with('\n')) text.pop_back();
  return text.empty() || run.signal != 0 ? "weights " + weights + ": their check " + how_it_ended(run) : text;
}

}  // namespace

void check_weights_files(const Plan& plan) {
  std::set<std::string> looked_at;
  std::vector<std::string> mistakes;
  for (const auto& launch : plan.launches) {
    const auto path = weights_of(launch);
    if (path.empty() || !looked_at.insert(path).second) continue;
    try {
      read_weights_index(path);
    } catch (const Error& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

void check_weights_fit(const Plan& plan, const Installation& installation) {
  std::vector<std::string> mistakes;
  for (const auto* launch : different_models(plan)) {
    std::vector<std::string> command{installation.worker.string(), "--check"};
    for (auto& token : to_tokens(launch->spec)) command.push_back(std::move(token));
    const auto run = run_captured({command, {}, {}, {}}, kTimeoutSeconds);
    if (!run.clean()) mistakes.push_back(what_the_worker_says(run, weights_of(*launch)));
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

}  // namespace ddpbench
