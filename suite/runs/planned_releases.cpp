#include "suite/runs/planned_releases.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr const char* kReleaseOption = "lightning_version";
constexpr const char* kOfTheEnvironment = "default";

std::vector<std::string> installed_releases(const std::filesystem::path& folder) {
  std::vector<std::string> releases{kOfTheEnvironment};
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) releases.push_back(entry.path().filename());
  std::sort(releases.begin() + 1, releases.end());
  return releases;
}

}  // namespace

std::string lightning_release_of(const LaunchSpec& spec) {
  const auto& options = spec.options[OptionGroup::kTrainer];
  const auto found = options.find(kReleaseOption);
  return found == options.end() ? kOfTheEnvironment : found->second;
}

void check_lightning_releases(const Plan& plan, const Installation& installation) {
  const auto installed = installed_releases(installation.share / "lightning");
  std::set<std::string> missing;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) continue;
    if (const auto release = lightning_release_of(launch.spec); !holds(installed, release)) missing.insert(release);
  }
  std::vector<std::string> mistakes;
  for (const auto& release : missing) {
    mistakes.push_back(std::string(kReleaseOption) + " = '" + release + "' is not installed (there: " + join(installed, ", ") +
                       "): ./bootstrap.sh build --lightning-version " + release);
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

}  // namespace ddpbench
