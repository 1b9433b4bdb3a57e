#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Minutes of "HOURS:MINUTES" or "HOURS:MINUTES:SECONDS"; seconds are dropped. Throws UsageError naming `option` otherwise, and for no time at all.
std::int64_t minutes_in(const std::string& text, const std::string& option);

}  // namespace ddpbench
