#pragma once

namespace ddpbench {

// Binds the calling thread to the core that $DDPBENCH_MAIN_CORE names, where it may run there. Threads that exist already stay where they are.
void keep_to_main_core();

}  // namespace ddpbench
