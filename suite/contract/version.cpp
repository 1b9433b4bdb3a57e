#include "suite/contract/version.hpp"

namespace ddpbench {

const char* version() { return DDPBENCH_VERSION; }

}  // namespace ddpbench
