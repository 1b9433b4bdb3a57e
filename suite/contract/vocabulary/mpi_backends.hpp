#pragma once
#include <string_view>

namespace ddpbench {

// The backend whose ranks must be processes of MPI's: what starts them has to know.
inline constexpr const char* kMpiBackend = "mpi";
inline bool needs_mpi(std::string_view backend) { return backend == kMpiBackend; }

}  // namespace ddpbench
