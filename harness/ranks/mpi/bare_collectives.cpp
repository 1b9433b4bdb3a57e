#include "harness/ranks/mpi/bare_collectives.hpp"

#include "harness/ranks/mpi/mpi_errors.hpp"

namespace ddpbench {
namespace {

int count_of(const at::Tensor& tensor) { return mpi_count(tensor.numel()); }

void* data(const at::Tensor& tensor) { return tensor.data_ptr(); }

int call(MPI_Comm communicator, Collective kind, const CollectiveBuffers& of, int ranks) {
  switch (kind) {
    case Collective::kAllReduce:
      return MPI_Allreduce(MPI_IN_PLACE, data(of.input), count_of(of.input), MPI_FLOAT, MPI_SUM, communicator);
    case Collective::kBroadcast: return MPI_Bcast(data(of.input), count_of(of.input), MPI_FLOAT, 0, communicator);
    case Collective::kAllGather:
      return MPI_Allgather(data(of.input), count_of(of.input), MPI_FLOAT, data(of.output), count_of(of.input), MPI_FLOAT,
                           communicator);
    case Collective::kReduceScatter:
      return MPI_Reduce_scatter_block(data(of.input), data(of.output), count_of(of.output), MPI_FLOAT, MPI_SUM, communicator);
    case Collective::kAllToAll:
      return MPI_Alltoall(data(of.input), count_of(of.input) / ranks, MPI_FLOAT, data(of.output), count_of(of.output) / ranks,
                          MPI_FLOAT, communicator);
    case Collective::kBarrier: break;
  }
  return MPI_Barrier(communicator);
}

int begin_call(MPI_Comm communicator, Collective kind, const CollectiveBuffers& of, int ranks, MPI_Request* begun) {
  switch (kind) {
    case Collective::kAllReduce:
      return MPI_Iallreduce(MPI_IN_PLACE, data(of.input), count_of(of.input), MPI_FLOAT, MPI_SUM, communicator, begun);
    case Collective::kBroadcast: return MPI_Ibcast(data(of.input), count_of(of.input), MPI_FLOAT, 0, communicator, begun);
    case Collective::kAllGather:
      return MPI_Iallgather(data(of.input), count_of(of.input), MPI_FLOAT, data(of.output), count_of(of.input), MPI_FLOAT,
                            communicator, begun);
    case Collective::kReduceScatter:
      return MPI_Ireduce_scatter_block(data(of.input), data(of.output), count_of(of.output), MPI_FLOAT, MPI_SUM, communicator,
                                       begun);
    case Collective::kAllToAll:
      return MPI_Ialltoall(data(of.input), count_of(of.input) / ranks, MPI_FLOAT, data(of.output), count_of(of.output) / ranks,
                           MPI_FLOAT, communicator, begun);
    case Collective::kBarrier: break;
  }
  return MPI_Ibarrier(communicator, begun);
}

}  // namespace

BareCollectives::BareCollectives(bool is_blocking, int rank) : communicator_(new_communicator(rank)), is_blocking_(is_blocking) {
  require_mpi(MPI_Comm_size(communicator_, &ranks_), "MPI_Comm_size");
}

void BareCollectives::begin(Collective kind, CollectiveBuffers& buffers) {
  const std::lock_guard lock(MpiSession::mutex());
  if (is_blocking_) return require_mpi(call(communicator_, kind, buffers, ranks_), "the blocking call");
  require_mpi(begin_call(communicator_, kind, buffers, ranks_, &requests_.emplace_back(MPI_REQUEST_NULL)), "the call");
}

void BareCollectives::wait() {
  if (requests_.empty()) return;
  const std::lock_guard lock(MpiSession::mutex());
  require_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  requests_.clear();
}

}  // namespace ddpbench
