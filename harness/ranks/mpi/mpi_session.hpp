#pragma once
#include <mpi.h>

#include <mutex>

namespace ddpbench {

// Holds MPI of this process, which may be initialised once and finalised once. The first user initialises it, the last that
// leaves finalises it.
class MpiSession {
 public:
  // Throws Error where MPI cannot be initialised, or lets one thread only call it.
  MpiSession();
  // Without leave() MPI is not finalised: what is under way is left alone.
  ~MpiSession() = default;
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  // Ends this user's use; collective where it is the last user.
  void leave();

  // Returns the mutex to hold around every call of MPI's that may meet another thread's: several threads may call it, one at a
  // time (MPI_THREAD_SERIALIZED).
  static std::mutex& mutex();
};

// Makes a communicator of all of MPI's processes, by the ranks of the launch, whose errors come back as codes. Collective, within
// a session.
MPI_Comm new_communicator(int rank);

}  // namespace ddpbench
