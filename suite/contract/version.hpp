#pragma once

namespace ddpbench {

// Returns the version of the build (CMakeLists.txt, project): "0.1.0".
const char* version();

}  // namespace ddpbench
