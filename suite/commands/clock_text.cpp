#include "suite/commands/clock_text.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kNone = -1;

// "09" is nine, as on a clock.
std::int64_t clock_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') text.remove_prefix(1);
  return parse_number<std::int64_t>(text).value_or(kNone);
}

}  // namespace

std::int64_t minutes_in(const std::string& text, const std::string& option) {
  const auto parts = split(text, ':');
  const auto number = [&](std::size_t part) { return part < parts.size() ? clock_number(parts[part]) : kNone; };
  const auto hours = number(0), minutes = number(1), seconds = parts.size() < 3 ? 0 : number(2);
  const auto is_sixtieth = [](std::int64_t value) { return value >= 0 && value < 60; };
  const bool is_time = parts.size() < 4 && hours >= 0 && hours < 10'000 && is_sixtieth(minutes) && is_sixtieth(seconds) &&
                       60 * hours + minutes > 0;
  if (!is_time) throw UsageError(option + " " + shown(text) + ": must be HOURS:MINUTES, as in 01:30");
  return 60 * hours + minutes;
}

}  // namespace ddpbench
