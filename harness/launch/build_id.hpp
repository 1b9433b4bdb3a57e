#pragma once
#include <string>

namespace ddpbench {

// Returns the linker's build id of this executable in hex, "unknown" where it has none: it tells a vocabulary or a probe of
// another build.
std::string build_id();

}  // namespace ddpbench
