#include "suite/runs/planned_data.hpp"

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/formats/batch_size.hpp"

namespace ddpbench {
namespace {

// Each mistake once, however many launches make it.
void check_batch_sizes(const Plan& plan) {
  std::set<std::string> mistakes;
  for (const auto& launch : plan.launches) {
    const auto& spec = launch.spec;
    if (!launch.skip_reason.empty() || launch.dataset.empty()) continue;
    const auto images = find_data_set(launch.dataset).records(Split::kTrain);
    const auto why = why_batch_too_large(spec.batch_size_per_rank, spec.world_size(), images);
    if (!why.empty()) mistakes.insert(why);
  }
  if (!mistakes.empty()) throw UsageError(std::vector<std::string>(mistakes.begin(), mistakes.end()));
}

}  // namespace

std::map<std::string, DataFolder> planned_data(const Plan& plan, const std::string& data_option) {
  check_batch_sizes(plan);
  std::map<std::string, DataFolder> data;
  for (const auto& launch : plan.launches) {
    const auto& name = launch.dataset;
    if (!launch.skip_reason.empty() || name.empty() || data.count(name) != 0) continue;
    std::cerr << "checking data: " << name << std::endl;
    data[name] = find_or_generate_data(find_data_set(name), data_sources(data_option));
  }
  return data;
}

std::string expected_data(const PlannedLaunch& launch, const std::string& data_option) {
  const auto& name = launch.dataset;
  return name.empty() ? "" : expected_data_path(find_data_set(name), data_sources(data_option));
}

std::string describe_origins(const std::map<std::string, DataFolder>& data, bool trains_modules) {
  std::vector<std::string> origins;
  for (const auto& [name, folder] : data) origins.push_back(name + ": " + folder.origin);
  if (trains_modules) origins.emplace_back("modules of [modules]: as their own loaders read");
  return origins.empty() ? "none is read" : join(origins, "; ");
}

}  // namespace ddpbench
