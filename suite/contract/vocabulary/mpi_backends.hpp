#pragma once
#include <string_view>

namespace ddpbench {

// Names the backend whose ranks must be processes of MPI's: what starts them has to know.
inline constexpr const char* kMpiBackend = "mpi";

// Returns whether the backend is that one.
inline bool needs_mpi(std::string_view backend) { return backend == kMpiBackend; }

}  // namespace ddpbench
