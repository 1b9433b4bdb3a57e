#include "suite/launch/python_host.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/launch/captured_run.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/probe_cache.hpp"

namespace ddpbench {
namespace {

constexpr double kTimeoutSeconds = 30;  // from a shared file system that is busy

// Named by its folder: nothing of the working directory is imported. -B: no bytecode in the installation. Variables of Python's count: a
// site's modules set PYTHONPATH.
std::vector<std::string> host_command(const Installation& installation) {
  return {installation.python().string(), "-B", "-X", "utf8", (installation.share / "python" / "ddpbench_arms").string()};
}

Probe ask(const std::vector<std::string>& python) {
  auto command = python;
  command.emplace_back("--probe");
  const auto run = run_captured({command, {}, {}, {}, "/"}, kTimeoutSeconds);
  auto answer = Probe::parse(run.out, nullptr, false);
  if (run.clean() && answer.is_object() && has_reasons(answer)) return answer;
  throw CannotRun(python.front() + " was asked for its packages and " +
                  (run.clean() ? "gave no answer that can be read" : how_it_ended(run)));
}

Probe reason_of_all(const std::string& reason, const std::vector<VocabularyEntry>& arms) {
  Probe answer{{"missing", reason}, {"why_not", {{"arm", Probe::object()}}}};
  for (const auto& arm : arms) {
    if (arm.program == kPythonHost) answer["why_not"]["arm"][arm.name] = reason;
  }
  return answer;
}

}  // namespace

bool is_hosted_by_python(const std::vector<ArmFacts>& arms) {
  return std::any_of(arms.begin(), arms.end(), [](const auto& arm) { return arm.program == kPythonHost; });
}

Program program_of(const std::vector<ArmFacts>& arms, const Installation& installation, const std::vector<std::string>& hosts) {
  auto program = worker_program(installation);
  if (is_hosted_by_python(arms)) program.tokens = host_command(installation);
  program.hosts = hosts;
  return program;
}

Program planned_program(const PlannedLaunch& launch, const std::vector<ArmFacts>& arms, const Installation& installation,
                        const std::vector<std::string>& hosts) {
  const bool is_skipped = !launch.skip_reason.empty();
  return program_of(is_skipped ? std::vector<ArmFacts>{} : find_arms(arms, launch.spec.arms), installation, hosts);
}

void add_python_arms(Probe& probe, const Installation& installation, const std::vector<VocabularyEntry>& arms) {
  try {
    probe["python_arms"] = ask(host_command(installation));
  } catch (const CannotRun& error) {
    probe["python_arms"] = reason_of_all(error.what(), arms);
  }
}

}  // namespace ddpbench
