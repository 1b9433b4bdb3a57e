#include "suite/base/cpu_quota.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>

#include "suite/base/control_groups.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr double kNoQuota = std::numeric_limits<double>::quiet_NaN();

std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// "20000 100000": microseconds of CPU time in each period; "max 100000": no limit.
std::optional<double> quota_of_version_2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  double quota = 0, period = 0;
  if (!(file >> quota >> period) || period <= 0) return std::nullopt;
  return quota / period;
}

// A quota of -1: no limit.
std::optional<double> quota_of_version_1(const std::string& folder) {
  const auto quota = number_in(folder + "/cpu.cfs_quota_us"), period = number_in(folder + "/cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

}  // namespace

double cpu_quota_cores(const std::string& root) {
  double least = kNoQuota;
  for (const auto& folder : control_group_folders("cpu", root)) {
    for (const auto& quota : {quota_of_version_2(folder), quota_of_version_1(folder)}) {
      if (quota) least = std::fmin(least, *quota);
    }
  }
  return least;
}

std::string cpu_quota_warning(double quota_cores, std::int64_t ranks) {
  if (std::isnan(quota_cores)) return "";
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.3g", quota_cores);
  const auto text =
      std::string("the CPU quota of this control group is ") + number.data() + (quota_cores == 1 ? " core" : " cores");
  if (quota_cores >= static_cast<double>(ranks)) return text;
  return text + ": " + counted(ranks, "rank") + (ranks == 1 ? " is" : " are") +
         " held back, and no wall-clock figure can be trusted";
}

}  // namespace ddpbench
