#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ddpbench {

// Bounds what a TOML text may hold, far beyond what people write. The library underneath frees tables by recursion and takes any
// number of keys.
inline constexpr std::size_t kMaxTomlBytes = std::size_t{4} << 20U;
inline constexpr std::size_t kMaxTomlDepth = 32;     // brackets in brackets, and parts of one dotted key
inline constexpr std::size_t kMaxTomlKeys = 10'000;  // and tables, and lists

// Checks a text before it is parsed. Throws UsageError that names `origin`, the line and the bound, or the control character.
// Passes what else is no TOML: that is the parser's to say.
void require_bounded_toml(std::string_view text, const std::string& origin);

}  // namespace ddpbench
