#include "harness/ranks/mpi/mpi_session.hpp"

#include "harness/ranks/mpi/mpi_errors.hpp"

namespace ddpbench {
namespace {

int users = 0;  // under the mutex

}  // namespace

std::mutex& MpiSession::mutex() {
  static std::mutex mutex;
  return mutex;
}

MpiSession::MpiSession() {
  const std::lock_guard lock(mutex());
  int provided = MPI_THREAD_SINGLE, is_initialised = 0;
  MPI_Initialized(&is_initialised);
  const int code =
      is_initialised != 0 ? MPI_Query_thread(&provided) : MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code != MPI_SUCCESS) throw Error("mpi: MPI_Init_thread: " + mpi_text(code));
  if (provided < MPI_THREAD_SERIALIZED)
    throw Error("mpi: this library does not let several threads call it (MPI_THREAD_SERIALIZED)");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  ++users;
}

MPI_Comm new_communicator(int rank) {
  MPI_Comm communicator = MPI_COMM_NULL;
  require_mpi(MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &communicator), "MPI_Comm_split");
  require_mpi(MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return communicator;
}

void MpiSession::leave() {
  const std::lock_guard lock(mutex());
  if (--users == 0) require_mpi(MPI_Finalize(), "MPI_Finalize");
}

}  // namespace ddpbench
