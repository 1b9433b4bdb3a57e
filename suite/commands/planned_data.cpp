#include "suite/commands/planned_data.hpp"

#include <iostream>

namespace ddpbench {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string dataset_of(const LaunchSpec& spec) {
  const auto data = spec.workload_options.find("data");
  if (data == spec.workload_options.end() || data->second == "constant") return "";
  for (const auto& layout : kCifarLayouts) {
    if (ends_with(spec.workload, "_" + std::string(layout.name))) return std::string(layout.name);
  }
  return std::string(kCifarLayouts.front().name);  // a workload of no data set in particular: `null`
}

std::map<std::string, DataFolder> planned_data(const Plan& plan, const std::string& data_option) {
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
