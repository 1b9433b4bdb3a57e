#pragma once

namespace ddpbench {

// Of the build (CMakeLists.txt, project): "0.1.0".
const char* version();

}  // namespace ddpbench
