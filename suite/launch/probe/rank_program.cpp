#include "suite/launch/probe/rank_program.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/probe_cache.hpp"
#include "suite/launch/processes/captured_run.hpp"

namespace ddpbench {
namespace {

constexpr double kTimeoutSeconds = 30;  // from a shared file system that is busy

// Named by its folder: nothing of the working directory is imported. -B: no bytecode in the installation. Variables of Python's count: a
// site's modules set PYTHONPATH.
std::vector<std::string> host_command(const Installation& installation) {
  return {installation.python().string(), "-B", "-X", "utf8", (installation.share / "python" / "ddpbench_arms").string()};
}

Probe reason_of_all(const std::string& reason, const std::vector<ArmEntry>& arms) {
  Probe answer{{"missing", reason}, {"why_not", {{"arm", Probe::object()}}}};
  for (const auto& arm : arms) {
    if (arm.program == kPythonProgram) answer["why_not"]["arm"][arm.name] = reason;
  }
  return answer;
}

}  // namespace

bool is_hosted_by_python(const std::vector<ArmFacts>& arms) {
  return std::any_of(arms.begin(), arms.end(), [](const auto& arm) { return arm.program == kPythonProgram; });
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

Probe ask_here(const std::vector<std::string>& tokens) {
  const auto run = run_captured({tokens, {}, {}, {}, "/"}, kTimeoutSeconds);
  if (!run.clean()) throw CannotRun(tokens.front() + " was asked for its packages and " + how_it_ended(run));
  return Probe::parse(run.out, nullptr, false);
}

void add_python_arms(Probe& probe, const Installation& installation, const std::vector<ArmEntry>& arms, const AskProgram& ask) {
  try {
    auto command = host_command(installation);
    command.emplace_back("--probe");
    auto answer = ask(command);
    if (!answer.is_object() || !has_reasons(answer))
      throw CannotRun(command.front() + " was asked for its packages and gave no answer that can be read");
    probe["python_arms"] = std::move(answer);
  } catch (const CannotRun& error) {
    probe["python_arms"] = reason_of_all(error.what(), arms);
  }
}

}  // namespace ddpbench
