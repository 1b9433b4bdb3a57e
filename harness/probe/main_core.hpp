#pragma once

namespace ddpbench {

// Binds the calling thread to the core that $DDPBENCH_MAIN_CORE names, where it may run there. Threads that exist already stay
// where they are, and processes that are forked later run where this one could before.
void bind_main_thread();

// Lets the calling thread run where the process could before: a thread that the bound one starts is bound like it.
void unbind_thread();

}  // namespace ddpbench
