#pragma once
#include <mpi.h>

#include <memory>
#include <vector>

#include "harness/api/collective_runner.hpp"
#include "harness/ranks/mpi/mpi_session.hpp"

namespace ddpbench {

// Calls MPI itself on the buffers, without c10d and without any thread of ours: what backend mpi is measured against. The calls
// that do not block are those of the backend. Has MPI's processes, by the ranks of the launch, in a communicator of its own.
class BareCollectives final : public CollectiveRunner {
 public:
  BareCollectives(bool is_blocking, int rank);

  void begin(Collective kind, CollectiveBuffers& buffers) override;
  void wait() override;
  void close() override { session_.leave(); }

 private:
  MpiSession session_;
  MPI_Comm communicator_;
  int ranks_ = 0;
  bool is_blocking_;
  std::vector<MPI_Request> requests_;
};

}  // namespace ddpbench
