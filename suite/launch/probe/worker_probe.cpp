#include "suite/launch/probe/worker_probe.hpp"

#include <algorithm>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/library_errors.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/probe_cache.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/launch_end.hpp"

namespace ddpbench {
namespace {

// A node's first start of the CUDA runtime from a shared file system takes tens of seconds.
constexpr double kProbeTimeoutSeconds = 120;

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "nothing";
  const auto start = text.find_last_of('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1, end - (start == std::string::npos ? 0 : start + 1) + 1);
}

std::string why_not_started(const Installation& installation, const CapturedRun& run) {
  const auto worker = installation.worker.string();
  const auto said = last_line(run.err);
  const auto meaning = explain_library_error(said);
  if (run.exit_code == kLoaderFailed) {
    return "the worker cannot start: " + said + "\n" +
           (meaning.empty() ? "LibTorch is missing or was moved: run ./bootstrap.sh build" : meaning);
  }
  const auto ended = worker + " --probe " + how_it_ended(run) + (meaning.empty() ? "" : ": " + meaning);
  return run.signal != 0 ? ended : ended + "; it last said: " + said;
}

// 0: no bound is known.
std::int64_t most_nodes(LauncherScope reach, const Allocation& allocation) {
  const auto given = static_cast<std::int64_t>(allocation.hosts.size());
  if (reach == LauncherScope::kThisMachine) return 1;
  if (reach == LauncherScope::kNodesOfMpi && allocation.job.empty() && !mpi_may_know_nodes())
    return std::max<std::int64_t>(given, 1);
  return reach == LauncherScope::kGivenNodes ? std::max<std::int64_t>(given, 1) : given;
}

}  // namespace

Probe probe_afresh(const Installation& installation, const std::string& worker_build_id, ProbeDepth depth) {
  if (!std::filesystem::exists(installation.worker)) {
    throw CannotRun("no worker at " + installation.worker.string() +
                    ": it was not built (it needs LibTorch): run ./bootstrap.sh build");
  }
  std::vector<std::string> command{installation.worker.string(), "--probe"};
  if (depth == ProbeDepth::kWhole) command.emplace_back("whole");
  // From the root folder: a library of NVIDIA's looks for the driver's in the working directory, too.
  const auto run = run_captured({command, {}, {}, {}, "/"}, kProbeTimeoutSeconds);
  if (!run.clean()) throw CannotRun(why_not_started(installation, run));
  auto probe = Probe::parse(run.out, nullptr, false);
  if (!is_probe(probe))
    throw CannotRun(installation.worker.string() + " --probe did not answer with JSON but: " + last_line(run.out));
  keep_probe(installation, worker_build_id, probe);
  return probe;
}

void keep_probe(const Installation& installation, const std::string& worker_build_id, const Probe& probe) {
  keep_probe(probe_key(installation.worker, worker_build_id), probe);
}

std::optional<Probe> kept_probe(const Installation& installation, const std::string& worker_build_id) {
  return find_kept_probe(probe_key(installation.worker, worker_build_id));
}

Probe current_probe(const Installation& installation, const std::string& worker_build_id) {
  auto probe = kept_probe(installation, worker_build_id);
  return probe ? *probe : probe_afresh(installation, worker_build_id);
}

void add_reasons(const Probe& answer, Availability& availability) {
  if (!answer.contains("why_not")) return;
  for (const auto& [kind, reasons] : answer.at("why_not").items()) {
    for (const auto& [name, reason] : reasons.items()) availability.why_not[kind][name] = reason.get<std::string>();
  }
}

Availability availability_of_machine(const std::optional<Probe>& probe) {
  Availability availability;
  availability.probed = probe.has_value();
  if (!probe) return availability;
  add_reasons(*probe, availability);
  const auto python = probe->value("python_arms", Probe::object());
  if (has_reasons(python)) add_reasons(python, availability);
  availability.gpus = probe->value("gpus", std::int64_t{0});
  return availability;
}

Availability availability_from(const std::optional<Probe>& probe, std::string_view launcher, const Allocation& allocation) {
  const auto& entry = find_entry(launchers(), "launcher", launcher);
  auto availability = availability_of_machine(probe);
  availability.launcher = launcher;
  availability.max_nodes = most_nodes(entry.scope, allocation);
  availability.why_this_launcher = why_not_on_nodes(entry, allocation);
  add_limits(entry, availability);
  return availability;
}

}  // namespace ddpbench
