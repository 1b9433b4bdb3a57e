#pragma once
#include <memory>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <vector>

#include "harness/api/torch_release.hpp"
#include "harness/ranks/mpi/mpi_engine.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"

namespace ddpbench {

// Runs c10d's collectives over MPI, on tensors of the CPU. All are asynchronous and keep the order of their calls; gathers and
// scatters of lists go through one flat buffer. It has MPI's processes, by the ranks of the launch; several may be there, each
// with a communicator of its own.
//
// No collective moves more than 2^31 - 1 elements, MPI's counts before MPI 4: beyond it throws UsageError.
class MpiBackend final : public c10d::Backend {
 public:
  using WorkPtr = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;
  using TensorLists = std::vector<Tensors>;
  using Sizes = std::vector<std::int64_t>;

  // Collective. Throws Error where MPI started another number of processes than the launch has ranks.
  MpiBackend(int rank, int world_size, MpiProgress progress, std::chrono::milliseconds timeout);

  const std::string getBackendName() const override { return kMpiBackend; }
  void setSequenceNumberForGroup() override {}
  uint64_t getSequenceNumberForGroup() override { return engine_.submitted(); }
  void setTimeout(std::chrono::milliseconds timeout) DDPBENCH_OVERRIDES_SET_TIMEOUT;
  void shutdown() override;

  WorkPtr broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override;
  WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;
  WorkPtr allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) override;
  WorkPtr reduce(Tensors& tensors, const c10d::ReduceOptions& options) override;
  WorkPtr allgather(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr _allgather_base(at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions& options) override;
  WorkPtr allgather_coalesced(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs, const c10d::AllgatherOptions& options) override;
  WorkPtr gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) override;
  WorkPtr scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& options) override;
  WorkPtr reduce_scatter(Tensors& outputs, TensorLists& inputs, const c10d::ReduceScatterOptions& options) override;
  WorkPtr _reduce_scatter_base(at::Tensor& output, at::Tensor& input, const c10d::ReduceScatterOptions& options) override;
  WorkPtr reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs, const c10d::ReduceScatterOptions& options) override;
  WorkPtr alltoall_base(at::Tensor& output, at::Tensor& input, Sizes& output_sizes, Sizes& input_sizes,
                        const c10d::AllToAllOptions& options) override;
  WorkPtr alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) override;
  WorkPtr send(Tensors& tensors, int to_rank, int tag) override;
  WorkPtr recv(Tensors& tensors, int from_rank, int tag) override;
  WorkPtr recvAnysource(Tensors& tensors, int tag) override;
  WorkPtr barrier(const c10d::BarrierOptions& options) override;

 private:
  template <class Begin, class End = NothingBehind>
  WorkPtr submit(MpiWork::Facts facts, Begin begin, End end = {});
  WorkPtr gather_flat(c10d::OpType type, const at::Tensor& input,
                      Tensors results);  // `results`: all parts of rank 0, of rank 1 …
  WorkPtr receive(c10d::OpType type, Tensors& tensors, int from_rank, int tag);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  MpiEngine engine_;
};

}  // namespace ddpbench
