#pragma once
#include <array>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench::test {

using Tensors = std::vector<at::Tensor>;

// Four numbers that differ by rank and place.
inline at::Tensor own(const c10d::Backend& backend) { return torch::arange(4, at::kFloat) + 10.0 * (backend.getRank() + 1); }
inline at::Tensor empty(std::int64_t size = 4) { return torch::full({size}, -1.0); }
// One part for each rank.
inline at::Tensor parts(const c10d::Backend& backend) {
  return torch::arange(4 * backend.getSize(), at::kFloat) + 100.0 * (backend.getRank() + 1);
}
inline Tensors list(const c10d::Backend& backend, const at::Tensor& like) {
  Tensors tensors;
  for (int rank = 0; rank < backend.getSize(); ++rank) tensors.push_back(like + rank);
  return tensors;
}
inline Tensors waited(const c10::intrusive_ptr<c10d::Work>& work, Tensors result) {
  work->wait();
  return result;
}

// A collective of c10d's, called with numbers that differ by rank and place; what it gives this rank.
struct Case {
  const char* name;
  Tensors (*run)(c10d::Backend& backend);
  std::size_t least_ranks = 1;
};

inline Tensors broadcast(c10d::Backend& backend) {
  Tensors tensors{own(backend)};
  return waited(backend.broadcast(tensors, {}), tensors);
}
inline Tensors allreduce(c10d::Backend& backend) {
  Tensors tensors{own(backend)};
  return waited(backend.allreduce(tensors, {}), tensors);
}
inline Tensors allreduce_sparse(c10d::Backend& backend) {
  Tensors tensors{own(backend).to_sparse()};
  return waited(backend.allreduce_sparse(tensors, {}), {tensors.front().to_dense()});
}
inline Tensors allreduce_coalesced(c10d::Backend& backend) {
  Tensors tensors{own(backend), 2 * own(backend)};
  return waited(backend.allreduce_coalesced(tensors, {}), tensors);
}
inline Tensors reduce(c10d::Backend& backend) {
  Tensors tensors{own(backend)};
  backend.reduce(tensors, {})->wait();
  return backend.getRank() == 0 ? tensors : Tensors{};  // the others' tensors are scratch
}
inline Tensors allgather(c10d::Backend& backend) {
  std::vector<Tensors> outputs{list(backend, empty())};
  Tensors inputs{own(backend)};
  backend.allgather(outputs, inputs, {})->wait();
  return outputs.front();
}
inline Tensors allgather_base(c10d::Backend& backend) {
  auto output = empty(4 * backend.getSize()), input = own(backend);
  return waited(backend._allgather_base(output, input, {}), {output});
}
inline Tensors allgather_coalesced(c10d::Backend& backend) {
  std::vector<Tensors> outputs;
  for (int rank = 0; rank < backend.getSize(); ++rank) outputs.push_back({empty(), empty()});
  Tensors inputs{own(backend), 2 * own(backend)};
  backend.allgather_coalesced(outputs, inputs, {})->wait();
  Tensors all;
  for (const auto& of_rank : outputs) all.insert(all.end(), of_rank.begin(), of_rank.end());
  return all;
}
inline Tensors allgather_into_tensor_coalesced(c10d::Backend& backend) {
  Tensors outputs{empty(4 * backend.getSize()), empty(4 * backend.getSize())}, inputs{own(backend), 2 * own(backend)};
  return waited(backend.allgather_into_tensor_coalesced(outputs, inputs, {}), outputs);
}
inline Tensors gather(c10d::Backend& backend) {
  std::vector<Tensors> outputs;
  if (backend.getRank() == 0) outputs.push_back(list(backend, empty()));
  Tensors inputs{own(backend)};
  backend.gather(outputs, inputs, {})->wait();
  return backend.getRank() == 0 ? outputs.front() : Tensors{};
}
inline Tensors scatter(c10d::Backend& backend) {
  std::vector<Tensors> inputs;
  if (backend.getRank() == 0) inputs.push_back(list(backend, own(backend)));
  Tensors outputs{empty()};
  return waited(backend.scatter(outputs, inputs, {}), outputs);
}
inline Tensors reduce_scatter(c10d::Backend& backend) {
  Tensors outputs{empty()};
  std::vector<Tensors> inputs{list(backend, own(backend))};
  return waited(backend.reduce_scatter(outputs, inputs, {}), outputs);
}
inline Tensors reduce_scatter_base(c10d::Backend& backend) {
  auto output = empty(), input = parts(backend);
  return waited(backend._reduce_scatter_base(output, input, {}), {output});
}
inline Tensors reduce_scatter_tensor_coalesced(c10d::Backend& backend) {
  Tensors outputs{empty(), empty()}, inputs{parts(backend), 2 * parts(backend)};
  return waited(backend.reduce_scatter_tensor_coalesced(outputs, inputs, {}), outputs);
}
inline Tensors alltoall_base(c10d::Backend& backend) {
  auto output = empty(4 * backend.getSize()), input = parts(backend);
  std::vector<std::int64_t> even;
  return waited(backend.alltoall_base(output, input, even, even, {}), {output});
}
// Rank r gets r + 1 numbers of every rank.
inline Tensors uneven_alltoall_base(c10d::Backend& backend) {
  std::vector<std::int64_t> gives, gets(static_cast<std::size_t>(backend.getSize()), backend.getRank() + 1);
  for (int rank = 0; rank < backend.getSize(); ++rank) gives.push_back(rank + 1);
  auto input = parts(backend).slice(0, 0, backend.getSize() * (backend.getSize() + 1) / 2).contiguous();
  auto output = empty(backend.getSize() * (backend.getRank() + 1));
  return waited(backend.alltoall_base(output, input, gets, gives, {}), {output});
}
inline Tensors alltoall(c10d::Backend& backend) {
  auto outputs = list(backend, empty()), inputs = list(backend, own(backend));
  return waited(backend.alltoall(outputs, inputs, {}), outputs);
}
inline Tensors send_and_receive(c10d::Backend& backend) {
  const int next = (backend.getRank() + 1) % backend.getSize();
  const int before = (backend.getRank() + backend.getSize() - 1) % backend.getSize();
  Tensors mine{own(backend)}, theirs{empty()};
  const auto sent = backend.send(mine, next, 7);
  backend.recv(theirs, before, 7)->wait();
  return waited(sent, theirs);
}
inline Tensors receive_from_any(c10d::Backend& backend) {
  Tensors mine{own(backend)}, theirs{empty()};
  if (backend.getRank() == 1) return waited(backend.send(mine, 0, 8), {});
  if (backend.getRank() > 1) return {};
  return waited(backend.recvAnysource(theirs, 8), theirs);
}
inline Tensors barrier(c10d::Backend& backend) { return waited(backend.barrier({}), {}); }
inline Tensors monitored_barrier(c10d::Backend& backend) {
  backend.monitoredBarrier({}, true);
  return {};
}
inline Tensors coalesced(c10d::Backend& backend) {
  backend.startCoalescing();
  return waited(backend.endCoalescing(), {});
}
inline Tensors sequence_numbers(c10d::Backend& backend) {
  backend.setSequenceNumberForGroup();
  return {torch::full({1}, static_cast<double>(backend.getSequenceNumberForGroup()))};
}

inline constexpr std::array kCollectiveCases{Case{"broadcast", broadcast},
                                             Case{"allreduce", allreduce},
                                             Case{"allreduce_sparse", allreduce_sparse},
                                             Case{"allreduce_coalesced", allreduce_coalesced},
                                             Case{"reduce", reduce},
                                             Case{"allgather", allgather},
                                             Case{"_allgather_base", allgather_base},
                                             Case{"allgather_coalesced", allgather_coalesced},
                                             Case{"allgather_into_tensor_coalesced", allgather_into_tensor_coalesced},
                                             Case{"gather", gather},
                                             Case{"scatter", scatter},
                                             Case{"reduce_scatter", reduce_scatter},
                                             Case{"_reduce_scatter_base", reduce_scatter_base},
                                             Case{"reduce_scatter_tensor_coalesced", reduce_scatter_tensor_coalesced},
                                             Case{"alltoall_base", alltoall_base},
                                             Case{"alltoall_base, uneven", uneven_alltoall_base},
                                             Case{"alltoall", alltoall},
                                             Case{"send, recv", send_and_receive, 2},
                                             Case{"recvAnysource", receive_from_any, 2},
                                             Case{"barrier", barrier},
                                             Case{"monitoredBarrier", monitored_barrier},
                                             Case{"coalescing", coalesced},
                                             Case{"sequence numbers", sequence_numbers}};

}  // namespace ddpbench::test
