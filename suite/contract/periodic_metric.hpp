#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// Names in metrics.csv of what work of every n-th step took: one row per event and rank, "periodic_wall_s.NAME", and n itself,
// "periodic_every.NAME".
inline constexpr std::string_view kPeriodicEvery = "periodic_every";
inline constexpr std::string_view kPeriodicWall = "periodic_wall_s";
inline constexpr std::string_view kPeriodicThreadCpu = "periodic_thread_cpu_s";
inline constexpr std::string_view kPeriodicDevice = "periodic_device_s";

inline std::string periodic_metric(std::string_view metric, std::string_view work) {
  return std::string(metric) + "." + std::string(work);
}

// "logger" of "periodic_wall_s.logger" where `metric` is "periodic_wall_s"; "" of any other name.
inline std::string_view periodic_work_of(std::string_view name, std::string_view metric) {
  const bool is_it = name.size() > metric.size() && name.substr(0, metric.size()) == metric && name[metric.size()] == '.';
  return is_it ? name.substr(metric.size() + 1) : std::string_view();
}

}  // namespace ddpbench
