#pragma once
#include <map>
#include <memory>
#include <string>

#include "harness/api/collective_runner.hpp"
#include "harness/ranks/backends.hpp"

namespace ddpbench {

// Holds the functions of libddpbench_mpi.so: all of ours that links the MPI library. It is opened when a rank needs it: others
// must not pay for it, and a machine may lack it.
struct MpiModule {
  // Returns, once a backend is made, the library's name and version as it calls itself, the level at which threads may call it,
  // and which of its transports it was told to take ("^": all but these), where it tells.
  std::map<std::string, std::string> (*facts)();
  c10::intrusive_ptr<c10d::Backend> (*make_mpi)(const BackendRequest& request);
  std::unique_ptr<CollectiveRunner> (*make_bare)(bool is_blocking, int rank);  // mpi/bare_collectives.hpp
};

// Names the option of backend mpi that takes one of these values, and how they become MpiProgress.
inline constexpr const char* kMpiProgressOption = "mpi_progress";
inline constexpr const char* kMpiProgressThread = "thread";
inline constexpr const char* kMpiProgressPoll = "poll";

// Returns "" where this build has the module, else why not.
std::string why_no_mpi_module();

// Opens the module at the first call. Throws CannotRun where it is not built or cannot be loaded, with the dynamic linker's
// words.
const MpiModule& mpi_module();

}  // namespace ddpbench
