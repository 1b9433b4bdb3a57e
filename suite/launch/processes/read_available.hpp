#pragma once
#include <cstddef>
#include <string>

#include "suite/base/file_descriptor.hpp"

namespace ddpbench {

// Bounds what is read of one descriptor before its reader looks at anything else: whoever writes without end would keep it for
// ever. As much as a pipe holds at most, so that a call behind its writer's end takes all of it.
inline constexpr std::size_t kMostBytesAtOnce = 1U << 20;

// Appends what a non-blocking descriptor holds now, up to kMostBytesAtOnce; closes it at its end. Does nothing when it is closed.
void read_available(FileDescriptor& fd, std::string& text);

}  // namespace ddpbench
