#include "suite/runs/utc_time.hpp"

#include <array>
#include <ctime>

namespace ddpbench {
namespace {

std::string formatted(std::chrono::system_clock::time_point time, const char* format) {
  const auto seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

std::string utc_text(std::chrono::system_clock::time_point time) { return formatted(time, "%Y-%m-%dT%H:%M:%SZ"); }
std::string utc_name(std::chrono::system_clock::time_point time) { return formatted(time, "%Y%m%dT%H%M%SZ"); }

}  // namespace ddpbench
