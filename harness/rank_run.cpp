#include "harness/rank_run.hpp"

#include <memory>

#include "harness/api/torch.hpp"
#include "harness/launch/build_id.hpp"
#include "harness/measure/checks/diverged.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "suite/base/environment_rules.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/process_facts.hpp"
#include "suite/base/profiler.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What may have moved this launch's times, as this rank found it before it began.
std::map<std::string, std::string> launch_facts(const RankRuntime& runtime) {
  auto facts = process_facts();
  facts.merge(steering_variables());
  facts.merge(runtime.facts());
  facts[runtime.build_fact()] = build_id();
  facts["torch"] = TORCH_VERSION;
  facts["cpu_capability"] = at::get_cpu_capability();
  facts["threads_per_rank"] = std::to_string(at::get_num_threads());
  if (auto profiler = own_profiler(); !profiler.empty()) facts[kProfiledFact] = std::move(profiler);
  return facts;
}

// Whether a peer ("rank 1: WHY") gives the same reason; its text may be cut.
bool says_the_same(const std::string& reason, const std::string& of_peer) {
  constexpr std::size_t kEnough = 120;
  const auto why = of_peer.find(": ");
  return reason.find(why == std::string::npos ? of_peer : of_peer.substr(why + 2, kEnough)) != std::string::npos;
}

const char* status_after(const std::exception& error) {
  if (dynamic_cast<const DivergedError*>(&error) != nullptr) return status::kWrongResult;
  return stop_requested() ? status::kPartial : status::kFailed;
}

}  // namespace

Outcome run_rank(const LaunchSpec& spec, const RankInfo& info, RankRuntime& runtime) {
  Outcome outcome{status::kOk, "", {}, host_name(), launch_facts(runtime)};
  auto launch = std::make_unique<RankLaunch>(spec, info, runtime);
  auto purpose = find_entry(rank_purposes(), "purpose", spec.purpose).make(*launch);
  try {
    purpose->run(outcome);
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    outcome.status = status_after(error);
    outcome.reason = "rank " + std::to_string(info.rank) + ": " + first_line(failure_text(error));
    if (launch->has_group()) {
      auto& peers = launch->group().control_channel();
      // The driver may see both ends at once, and takes the lower rank's for the cause.
      if (const auto cause = peers.why_peer_left(); !cause.empty() && !says_the_same(outcome.reason, cause))
        outcome.reason += "; before it " + cause;
      peers.abandon(outcome.reason);
    }
    purpose.release();  // NOLINT(bugprone-unused-return-value): a backend whose peer died may wait in its destructor for ever
    launch.release();   // NOLINT(bugprone-unused-return-value): the same
  }
  return outcome;
}

}  // namespace ddpbench
