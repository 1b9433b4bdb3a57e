#include "harness/measure/process/cpu_throttle.hpp"

#include <filesystem>
#include <fstream>

#include "suite/base/control_groups.hpp"

namespace ddpbench {
namespace {

// Version 2 counts in microseconds, version 1 in nanoseconds.
double seconds_in(const std::string& path) {
  std::ifstream file(path);
  std::string key;
  for (double value = 0; file >> key >> value;) {
    if (key == "throttled_usec") return value * 1e-6;
    if (key == "throttled_time") return value * 1e-9;
  }
  return 0;
}

}  // namespace

CpuThrottle::CpuThrottle(const std::string& root) {
  for (const auto& folder : control_group_folders("cpu", root)) {  // a quota may stand on any of them
    const auto file = folder + "/cpu.stat";
    if (std::filesystem::is_regular_file(std::filesystem::status(file))) files_.push_back(file);
  }
}

double CpuThrottle::seconds() const {
  double sum = 0;
  for (const auto& file : files_) sum += seconds_in(file);
  return sum;
}

}  // namespace ddpbench
