#pragma once
#include <ostream>

namespace ddpbench {

// Flushes `out`, whose descriptor is `fd`. Throws Error where it took less than it was given: a full disk must not look like an
// answer. A reader that went away (`ddpbench list | head`) wanted no more, and is no error.
void require_written(std::ostream& out, int fd);

}  // namespace ddpbench
