#include "harness/ranks/mpi/mpi_backend.hpp"

#include "harness/ranks/mpi/flat_tensors.hpp"
#include "harness/ranks/mpi/mpi_errors.hpp"
#include "harness/ranks/mpi/mpi_reductions.hpp"

namespace ddpbench {
namespace {

using Type = c10d::OpType;
using Tensors = MpiBackend::Tensors;

int elements(const at::Tensor& tensor) { return mpi_count(tensor.numel()); }
int bytes(const at::Tensor& tensor) { return mpi_count(static_cast<std::int64_t>(tensor.nbytes())); }

MpiWork::Facts facts(Type type, const char* name, const at::Tensor& moved, Tensors results) {
  return {type, name, static_cast<std::int64_t>(moved.nbytes()), std::move(results)};
}

void check(const at::Tensor& tensor) {
  if (!tensor.is_contiguous() || tensor.is_sparse()) throw UsageError("backend mpi: tensors must be dense and contiguous");
  if (!tensor.device().is_cpu()) throw UsageError("backend mpi: tensors must lie in the memory of the CPU");
}

at::Tensor& only(Tensors& tensors) {
  if (tensors.size() != 1) throw UsageError("backend mpi: one tensor for each rank, not " + std::to_string(tensors.size()));
  check(tensors.front());
  return tensors.front();
}

Tensors& only(MpiBackend::TensorLists& lists, int ranks) {
  if (lists.size() != 1 || lists.front().size() != static_cast<std::size_t>(ranks))
    throw UsageError("backend mpi: one list with a tensor for each of " + std::to_string(ranks) + " ranks");
  for (const auto& tensor : lists.front()) check(tensor);
  return lists.front();
}

void make_mean(const at::Tensor& sum, int ranks) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  if (at::isFloatingType(sum.scalar_type())) {
    sum.div_(ranks);
  } else {
    sum.floor_divide_(ranks);
  }
}

// Where each rank's part begins, in bytes.
struct Parts {
  std::vector<int> counts, places;
};
Parts parts_of(const at::Tensor& tensor, const MpiBackend::Sizes& sizes, int ranks) {
  const auto rows = tensor.dim() == 0 ? 1 : tensor.size(0);
  const auto row_bytes = rows == 0 ? 0 : static_cast<std::int64_t>(tensor.nbytes()) / rows;
  Parts parts;
  std::int64_t place = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto count = row_bytes * (sizes.empty() ? rows / ranks : sizes[static_cast<std::size_t>(rank)]);
    parts.counts.push_back(mpi_count(count));
    parts.places.push_back(mpi_count(place));
    place += count;
  }
  return parts;
}

// The calls of MPI's that several collectives make. Each holds what MPI reads until its end.
auto all_reduce(MPI_Comm communicator, const at::Tensor& tensor, const MpiReduction& reduction) {
  return [=](MPI_Request* begun) {
    return MPI_Iallreduce(MPI_IN_PLACE, tensor.data_ptr(), elements(tensor), reduction.type, reduction.operation, communicator,
                          begun);
  };
}

auto all_gather(MPI_Comm communicator, const at::Tensor& input, const at::Tensor& output) {
  return [=](MPI_Request* begun) {
    return MPI_Iallgather(input.data_ptr(), bytes(input), MPI_BYTE, output.data_ptr(), bytes(input), MPI_BYTE, communicator,
                          begun);
  };
}

auto reduce_parts(MPI_Comm communicator, const at::Tensor& input, const at::Tensor& output, const MpiReduction& reduction) {
  return [=](MPI_Request* begun) {
    return MPI_Ireduce_scatter_block(input.data_ptr(), output.data_ptr(), elements(output), reduction.type, reduction.operation,
                                     communicator, begun);
  };
}

struct Exchanged {
  at::Tensor tensor;
  Parts parts;
};
auto all_to_all(MPI_Comm communicator, const Exchanged& input, const Exchanged& output) {
  return [=](MPI_Request* begun) {
    return MPI_Ialltoallv(input.tensor.data_ptr(), input.parts.counts.data(), input.parts.places.data(), MPI_BYTE,
                          output.tensor.data_ptr(), output.parts.counts.data(), output.parts.places.data(), MPI_BYTE,
                          communicator, begun);
  };
}

// Behind a sum that is to be a mean; of another reduction nothing.
struct MeanOf {
  MeanOf(const at::Tensor& sum, c10d::ReduceOp how, int world_size)
      : tensor(sum), ranks(how == c10d::ReduceOp::AVG ? world_size : 0) {}
  void operator()(const MPI_Status&) const {
    if (ranks > 0) make_mean(tensor, ranks);
  }
  at::Tensor tensor;
  int ranks;
};

}  // namespace

void MpiBackend::setTimeout(std::chrono::milliseconds timeout) { engine_.set_timeout(timeout); }

MpiBackend::MpiBackend(int rank, int world_size, MpiProgress progress, std::chrono::milliseconds timeout)
    : c10d::Backend(rank, world_size), engine_(progress, timeout) {
  int processes = 0;
  require_mpi(MPI_Comm_size(MPI_COMM_WORLD, &processes), "MPI_Comm_size");
  if (processes != world_size) {
    throw Error("mpi: MPI has " + std::to_string(processes) + " processes, the launch " + std::to_string(world_size) +
                " ranks: mpirun, or srun --mpi=pmix, must start them");
  }
  communicator_ = new_communicator(rank);
}

void MpiBackend::shutdown() { engine_.shutdown(); }

template <class Begin, class End>
MpiBackend::WorkPtr MpiBackend::submit(MpiWork::Facts facts, Begin begin, End end) {
  auto work = c10::make_intrusive<MpiCall<Begin, End>>(engine_, getRank(), std::move(facts), std::move(begin), std::move(end));
  engine_.submit(work);
  return work;
}

MpiBackend::WorkPtr MpiBackend::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  const auto tensor = only(tensors);
  const auto root = static_cast<int>(options.rootRank);
  return submit(facts(Type::BROADCAST, "broadcast", tensor, tensors), [=, this](MPI_Request* begun) {
    return MPI_Ibcast(tensor.data_ptr(), bytes(tensor), MPI_BYTE, root, communicator_, begun);
  });
}

MpiBackend::WorkPtr MpiBackend::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  const auto tensor = only(tensors);
  const auto reduction = mpi_reduction(options.reduceOp, tensor.scalar_type());
  return submit(facts(Type::ALLREDUCE, "allreduce", tensor, tensors), all_reduce(communicator_, tensor, reduction),
                MeanOf(tensor, options.reduceOp, getSize()));
}

MpiBackend::WorkPtr MpiBackend::allreduce_coalesced(Tensors& tensors, const c10d::AllreduceCoalescedOptions& options) {
  for (const auto& tensor : tensors) check(tensor);
  const auto buffer = flat(tensors);
  const auto reduction = mpi_reduction(options.reduceOp, buffer.scalar_type());
  return submit(facts(Type::ALLREDUCE_COALESCED, "allreduce_coalesced", buffer, tensors),
                all_reduce(communicator_, buffer, reduction),
                [buffer, tensors, mean = MeanOf(buffer, options.reduceOp, getSize())](const MPI_Status& status) mutable {
                  mean(status);
                  unflatten(buffer, tensors);
                });
}

MpiBackend::WorkPtr MpiBackend::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  const auto tensor = only(tensors);
  const auto reduction = mpi_reduction(options.reduceOp, tensor.scalar_type());
  const auto root = static_cast<int>(options.rootRank);
  const bool is_root = root == getRank();
  return submit(
      facts(Type::REDUCE, "reduce", tensor, tensors),
      [=, this](MPI_Request* begun) {
        return MPI_Ireduce(is_root ? MPI_IN_PLACE : tensor.data_ptr(), is_root ? tensor.data_ptr() : nullptr, elements(tensor),
                           reduction.type, reduction.operation, root, communicator_, begun);
      },
      MeanOf(tensor, is_root ? options.reduceOp : c10d::ReduceOp(c10d::ReduceOp::SUM), getSize()));
}

MpiBackend::WorkPtr MpiBackend::gather_flat(Type type, const at::Tensor& input, Tensors results) {
  const auto buffer = room_for(input, getSize());
  return submit(facts(type, "allgather", input, results), all_gather(communicator_, input, buffer),
                [buffer, results](const MPI_Status&) mutable { unflatten(buffer, results); });
}

MpiBackend::WorkPtr MpiBackend::allgather(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions&) {
  return gather_flat(Type::ALLGATHER, only(inputs), only(outputs, getSize()));
}

MpiBackend::WorkPtr MpiBackend::allgather_coalesced(TensorLists& outputs, Tensors& inputs, const c10d::AllgatherOptions&) {
  for (const auto& input : inputs) check(input);
  Tensors results;
  for (const auto& of_rank : outputs) results.insert(results.end(), of_rank.begin(), of_rank.end());
  return gather_flat(Type::ALLGATHER_COALESCED, flat(inputs), std::move(results));
}

MpiBackend::WorkPtr MpiBackend::_allgather_base(at::Tensor& output, at::Tensor& input, const c10d::AllgatherOptions&) {
  check(output);
  check(input);
  if (output.numel() != input.numel() * getSize()) throw UsageError("backend mpi: the output must hold the input of every rank");
  return submit(facts(Type::_ALLGATHER_BASE, "allgather", input, {output}), all_gather(communicator_, input, output));
}

MpiBackend::WorkPtr MpiBackend::allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                                const c10d::AllgatherOptions&) {
  for (const auto& tensor : inputs) check(tensor);
  for (const auto& tensor : outputs) check(tensor);
  const auto input = flat(inputs), buffer = room_for(input, getSize());
  return submit(facts(Type::COALESCED, "allgather", input, outputs), all_gather(communicator_, input, buffer),
                [buffer, outputs, ranks = getSize()](const MPI_Status&) mutable { split_by_rank(buffer, outputs, ranks); });
}

MpiBackend::WorkPtr MpiBackend::gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) {
  const auto input = only(inputs);
  const auto root = static_cast<int>(options.rootRank);
  Tensors list;
  at::Tensor buffer;
  if (root == getRank()) {
    list = only(outputs, getSize());
    buffer = room_for(input, getSize());
  }
  return submit(
      facts(Type::GATHER, "gather", input, list),
      [=, this](MPI_Request* begun) {
        return MPI_Igather(input.data_ptr(), bytes(input), MPI_BYTE, buffer.defined() ? buffer.data_ptr() : nullptr, bytes(input),
                           MPI_BYTE, root, communicator_, begun);
      },
      [buffer, list](const MPI_Status&) mutable { unflatten(buffer, list); });
}

MpiBackend::WorkPtr MpiBackend::scatter(Tensors& outputs, TensorLists& inputs, const c10d::ScatterOptions& options) {
  const auto output = only(outputs);
  const auto root = static_cast<int>(options.rootRank);
  at::Tensor buffer;
  if (root == getRank()) buffer = flat(only(inputs, getSize()));
  return submit(facts(Type::SCATTER, "scatter", output, outputs), [=, this](MPI_Request* begun) {
    return MPI_Iscatter(buffer.defined() ? buffer.data_ptr() : nullptr, bytes(output), MPI_BYTE, output.data_ptr(), bytes(output),
                        MPI_BYTE, root, communicator_, begun);
  });
}

MpiBackend::WorkPtr MpiBackend::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                                     const c10d::ReduceScatterOptions& options) {
  check(output);
  check(input);
  if (input.numel() != output.numel() * getSize()) throw UsageError("backend mpi: the input must hold a part for every rank");
  const auto reduction = mpi_reduction(options.reduceOp, input.scalar_type());
  return submit(facts(Type::_REDUCE_SCATTER_BASE, "reduce_scatter", input, {output}),
                reduce_parts(communicator_, input, output, reduction), MeanOf(output, options.reduceOp, getSize()));
}

MpiBackend::WorkPtr MpiBackend::reduce_scatter(Tensors& outputs, TensorLists& inputs, const c10d::ReduceScatterOptions& options) {
  auto input = flat(only(inputs, getSize()));
  return _reduce_scatter_base(only(outputs), input, options);
}

MpiBackend::WorkPtr MpiBackend::reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                                const c10d::ReduceScatterOptions& options) {
  for (const auto& tensor : inputs) check(tensor);
  for (const auto& tensor : outputs) check(tensor);
  const auto input = joined_by_rank(inputs, getSize()), buffer = at::empty_like(flat(outputs));
  const auto reduction = mpi_reduction(options.reduceOp, input.scalar_type());
  return submit(facts(Type::COALESCED, "reduce_scatter", input, outputs), reduce_parts(communicator_, input, buffer, reduction),
                [buffer, outputs, mean = MeanOf(buffer, options.reduceOp, getSize())](const MPI_Status& status) mutable {
                  mean(status);
                  unflatten(buffer, outputs);
                });
}

MpiBackend::WorkPtr MpiBackend::alltoall_base(at::Tensor& output, at::Tensor& input, Sizes& output_sizes, Sizes& input_sizes,
                                              const c10d::AllToAllOptions&) {
  check(output);
  check(input);
  const auto from = parts_of(input, input_sizes, getSize()), to = parts_of(output, output_sizes, getSize());
  return submit(facts(Type::ALLTOALL_BASE, "alltoall", input, {output}), all_to_all(communicator_, {input, from}, {output, to}));
}

MpiBackend::WorkPtr MpiBackend::alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions&) {
  for (const auto& tensor : inputs) check(tensor);
  for (const auto& tensor : outputs) check(tensor);
  const auto input = flat(inputs), output = at::empty_like(flat(outputs));
  Sizes input_sizes, output_sizes;
  for (const auto& tensor : inputs) input_sizes.push_back(tensor.numel());
  for (const auto& tensor : outputs) output_sizes.push_back(tensor.numel());
  const auto from = parts_of(input, input_sizes, getSize()), to = parts_of(output, output_sizes, getSize());
  return submit(facts(Type::ALLTOALL, "alltoall", input, outputs), all_to_all(communicator_, {input, from}, {output, to}),
                [output, outputs](const MPI_Status&) mutable { unflatten(output, outputs); });
}

MpiBackend::WorkPtr MpiBackend::send(Tensors& tensors, int to_rank, int tag) {
  const auto tensor = only(tensors);
  return submit(facts(Type::SEND, "send", tensor, tensors), [=, this](MPI_Request* begun) {
    return MPI_Isend(tensor.data_ptr(), bytes(tensor), MPI_BYTE, to_rank, tag, communicator_, begun);
  });
}

MpiBackend::WorkPtr MpiBackend::receive(Type type, Tensors& tensors, int from_rank, int tag) {
  const auto tensor = only(tensors);
  return submit(facts(type, "recv", tensor, tensors), [=, this](MPI_Request* begun) {
    return MPI_Irecv(tensor.data_ptr(), bytes(tensor), MPI_BYTE, from_rank, tag, communicator_, begun);
  });
}

MpiBackend::WorkPtr MpiBackend::recv(Tensors& tensors, int from_rank, int tag) {
  return receive(Type::RECV, tensors, from_rank, tag);
}

MpiBackend::WorkPtr MpiBackend::recvAnysource(Tensors& tensors, int tag) {
  return receive(Type::RECVANYSOURCE, tensors, MPI_ANY_SOURCE, tag);
}

MpiBackend::WorkPtr MpiBackend::barrier(const c10d::BarrierOptions&) {
  return submit({Type::BARRIER, "barrier", 0, {}}, [this](MPI_Request* begun) { return MPI_Ibarrier(communicator_, begun); });
}

}  // namespace ddpbench
