#include "harness/ranks/group_collectives.hpp"

#include <vector>

namespace ddpbench {
namespace {

// A mean is a sum here, and divided afterwards: gloo has no mean of its own.
c10d::ReduceOp operation_of(Reduction how) {
  switch (how) {
    case Reduction::kMin: return c10d::ReduceOp::MIN;
    case Reduction::kMax: return c10d::ReduceOp::MAX;
    case Reduction::kSum:
    case Reduction::kMean: break;
  }
  return c10d::ReduceOp::SUM;
}

// Some backends return no Work where the result is there already.
void finish(const c10::intrusive_ptr<c10d::Work>& work) {
  if (work) work->wait();
}

}  // namespace

void GroupCollectives::broadcast(at::Tensor& tensor, std::int64_t from_rank) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> tensors{tensor};
  c10d::BroadcastOptions options;
  options.rootRank = from_rank;
  finish(group_->broadcast(tensors, options));
}

void GroupCollectives::all_reduce(at::Tensor& tensor, Reduction how) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> tensors{tensor};
  c10d::AllreduceOptions options;
  options.reduceOp = operation_of(how);
  finish(group_->allreduce(tensors, options));
  if (how == Reduction::kMean) tensor.div_(world_size());
}

at::Tensor GroupCollectives::all_gather(const at::Tensor& mine) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> inputs{mine.contiguous()};
  std::vector<std::vector<at::Tensor>> outputs(1);
  for (std::int64_t rank = 0; rank < world_size(); ++rank) outputs.front().push_back(at::empty_like(inputs.front()));
  finish(group_->allgather(outputs, inputs));
  return at::stack(outputs.front());
}

void GroupCollectives::barrier() { finish(group_->barrier()); }

// The smaller rank speaks first: where both did, a backend that waits for its receiver would wait for ever.
void GroupCollectives::swap_with(at::Tensor& tensor, std::int64_t peer) {
  const torch::NoGradGuard no_grad;
  std::vector<at::Tensor> mine{tensor}, other{at::empty_like(tensor)};
  const auto to = static_cast<int>(peer);
  const auto send = [&] { finish(group_->send(mine, to, 0)); };
  const auto receive = [&] { finish(group_->recv(other, to, 0)); };
  if (rank() < peer) {
    send();
    receive();
  } else {
    receive();
    send();
  }
  tensor.copy_(other.front());
}

}  // namespace ddpbench
