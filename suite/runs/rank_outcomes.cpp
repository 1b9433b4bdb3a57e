#include "suite/runs/rank_outcomes.hpp"

#include <string>

#include "suite/base/errors.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/drive_launch.hpp"

namespace ddpbench {
namespace {

std::optional<Outcome> outcome_of(const LaunchSpec& spec, std::int64_t rank) {
  try {
    return read_outcome(spec.part_dir, rank);
  } catch (const Error& error) {
    return Outcome{status::kFailed, "rank " + std::to_string(rank) + ": " + error.what(), {}, ""};
  }
}

}  // namespace

std::vector<std::optional<Outcome>> read_outcomes(const LaunchSpec& spec) {
  std::vector<std::optional<Outcome>> outcomes;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) outcomes.push_back(outcome_of(spec, rank));
  return outcomes;
}

LaunchListener shown_on(ProgressDisplay& display) {
  return {[&display](std::string_view source, std::string_view line) {
            display.print_line("[" + std::string(source) + "] " + std::string(line));
          },
          [&display](const RankProgress& progress) { display.show(progress); }};
}

JudgedLaunch judged(const Launcher& launcher, const LaunchSpec& spec, const LaunchEnd& end) {
  JudgedLaunch launch{judge(end, read_outcomes(spec))};
  auto& ended = launch.ended;
  launch.job_is_over =
      ended.status == status::kFailed && launcher.says_job_is_over != nullptr && launcher.says_job_is_over(ended.reason);
  if (!launch.job_is_over) return launch;
  ended.status = status::kPartial;
  ended.reason = "the job is over: " + ended.reason;
  return launch;
}

JudgedLaunch outcome_of_ranks(const Launcher& launcher, const LaunchSpec& spec, const Program& program, SignalInbox& inbox,
                              const LaunchListener& listener) {
  try {
    const auto end = drive_to_end(*launcher.start(spec, program, {listener, {}}), inbox);
    return judged(launcher, spec, end);
  } catch (const CannotRun& error) {
    return {{status::kFailed, error.what(), {}, ""}};
  }
}

}  // namespace ddpbench
