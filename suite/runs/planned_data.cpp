#include "suite/runs/planned_data.hpp"

#include <iostream>
#include <set>

#include "suite/base/errors.hpp"
#include "workloads/formats/batch_size.hpp"

namespace ddpbench {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Each mistake once, however many launches make it.
void check_batch_sizes(const Plan& plan) {
  std::set<std::string> mistakes;
  for (const auto& launch : plan.launches) {
    const auto& spec = launch.spec;
    const auto name = launch.skip_reason.empty() ? dataset_of(spec) : "";
    if (name.empty()) continue;
    const auto images = find_cifar_layout(name).records(Split::kTrain);
    const auto why = why_batch_too_large(spec.batch_size_per_rank, spec.world_size(), images);
    if (!why.empty()) mistakes.insert(why);
  }
  if (!mistakes.empty()) throw UsageError(std::vector<std::string>(mistakes.begin(), mistakes.end()));
}

}  // namespace

std::string dataset_of(const LaunchSpec& spec) {
  const auto& options = spec.options[Holder::kWorkload];
  const auto data = options.find("data");
  if (data == options.end() || data->second == "constant") return "";
  for (const auto& layout : kCifarLayouts) {
    if (ends_with(spec.workload, "_" + std::string(layout.name))) return std::string(layout.name);
  }
  return std::string(kCifarLayouts.front().name);  // a workload of no data set in particular: `null`
}

std::map<std::string, DataFolder> planned_data(const Plan& plan, const std::string& data_option) {
  check_batch_sizes(plan);
  std::map<std::string, DataFolder> data;
  for (const auto& launch : plan.launches) {
    const auto name = launch.skip_reason.empty() ? dataset_of(launch.spec) : "";
    if (name.empty() || data.count(name) != 0) continue;
    std::cerr << "checking data: " << name << std::endl;
    data[name] = find_or_generate_data(find_cifar_layout(name), data_sources(data_option));
  }
  return data;
}

std::string describe_origins(const std::map<std::string, DataFolder>& data) {
  std::string text;
  for (const auto& [name, folder] : data) text += (text.empty() ? "" : "; ") + name + ": " + folder.origin;
  return text.empty() ? "none is read" : text;
}

}  // namespace ddpbench
