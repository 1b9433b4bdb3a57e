#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Parses the minutes of "HOURS:MINUTES" or "HOURS:MINUTES:SECONDS"; drops the seconds. Throws UsageError naming `option`
// otherwise, and for no time at all.
std::int64_t minutes_in(const std::string& text, const std::string& option);

}  // namespace ddpbench
