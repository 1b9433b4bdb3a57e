#include "suite/purposes/profile/profiler_command.hpp"

#include "suite/base/system_environment.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/processes/rank_info.hpp"
#include "suite/launch/launchers/mpirun_kind.hpp"
#include "suite/launch/processes/find_program.hpp"

namespace ddpbench {
namespace {

constexpr const char* kVariable = "DDPBENCH_NSYS";

std::string rank_variable_of(const Launcher& launcher) {
  const bool is_hydra = launcher.name == "mpirun" && installed_mpirun().kind == MpirunKind::kHydra;
  return rank_variable(is_hydra ? kHydraVariables : launcher.name);
}

// Of the window that a rank opens. By default nsys ends a program with its window; a rank has still to tell its outcome.
std::vector<std::string> nsys_tokens(const Launcher& launcher, const LaunchSpec& spec) {
  const auto program = nsys_program();
  const std::string traced = spec.backend == "mpi" ? "nvtx,cuda,mpi" : "nvtx,cuda";
  return {program.empty() ? "nsys" : program,
          "profile",
          "--trace=" + traced,
          "--sample=none",
          "--cpuctxsw=none",
          "--capture-range=nvtx",
          "--nvtx-capture=measure@ddpbench",
          "--capture-range-end=stop",
          "--kill=none",
          "--force-overwrite=true",
          "--output=" + spec.part_dir + "/trace.%q{" + rank_variable_of(launcher) + "}"};
}

}  // namespace

std::string nsys_program() {
  const auto chosen = environment_variable(kVariable);
  return chosen.empty() ? find_program("nsys") : chosen;
}

std::string why_no_profiler(const std::string& profiler) {
  if (profiler != profiler::kNsys || !nsys_program().empty()) return "";
  return "nsys is not in $PATH: install Nsight Systems or load its module, or give its path in " + std::string(kVariable) +
         "; --profile kineto needs neither";
}

Program under_profiler(const Launcher& launcher, const LaunchSpec& spec, Program program) {
  // Without a GPU's driver Kineto complains once per rank.
  if (spec.profiler == profiler::kKineto && environment_variable("KINETO_LOG_LEVEL").empty())
    program.environment["KINETO_LOG_LEVEL"] = "99";
  if (spec.profiler != profiler::kNsys) return program;
  auto tokens = nsys_tokens(launcher, spec);
  tokens.insert(tokens.end(), program.tokens.begin(), program.tokens.end());
  program.tokens = std::move(tokens);
  return program;
}

bool is_progress_of_nsys(std::string_view line) {
  const auto names_report = line.find(".nsys-rep") != std::string_view::npos;
  const bool is_bar = line.find("[1/1] [") != std::string_view::npos;
  return line.starts_with("Capture range ") || line.starts_with("Generat") || (names_report && (is_bar || line.starts_with(' ')));
}

}  // namespace ddpbench
