#include "suite/commands/profile_arguments.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/purposes/profile/profiler_command.hpp"

namespace ddpbench {

void add_profile_arguments(CLI::App& app, ProfileRequest& request) {
  auto* profile =
      app.add_option("--profile", request.profiler,
                     "a trace of each cell too, in a launch of its own behind the timed ones: " + known_names(profilers()));
  const auto add_list = [&](const char* name, std::vector<std::string>& values, const char* help) {
    app.add_option(name, values, help)->delimiter(',')->needs(profile);
  };
  add_list("--profile-arms", request.arms, "comma-separated: arms that the trace shows (default: all but controls and probes)");
  app.add_option("--profile-steps", request.steps, "FIRST..LAST: steps of each arm that it shows (default: 11..20)")
      ->needs(profile);
  app.add_option("--schedule", request.schedule,
                 "WAIT/WARMUP/ACTIVE/REPEAT of kineto, as in 1/1/3/2: steps of each arm as torch.profiler.schedule takes them, a "
                 "trace for each of its cycles (in place of --profile-steps)")
      ->needs(profile);
  add_list("--profile-ranks", request.ranks, "comma-separated: ranks that record (default: all)");
  add_list("--profile-with", request.with, "of kineto, comma-separated: shapes, memory, stacks");
}

std::vector<std::string> profile_tokens(const ProfileRequest& request) {
  std::vector<std::string> tokens;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) tokens.insert(tokens.end(), {option, value});
  };
  add("--profile", request.profiler);
  add("--profile-arms", join(request.arms, ","));
  add("--profile-steps", request.steps);
  add("--schedule", request.schedule);
  add("--profile-ranks", join(request.ranks, ","));
  add("--profile-with", join(request.with, ","));
  return tokens;
}

void require_profiler(const ProfileRequest& request) {
  if (!request.is_asked_for()) return;
  if (entry_or_null(profilers(), request.profiler) == nullptr)
    throw UsageError("--profile: " + unknown_name_message(profilers(), "profiler", request.profiler));
  if (const auto why = why_no_profiler(request.profiler); !why.empty()) throw UsageError("--profile nsys: " + why);
}

}  // namespace ddpbench
