#pragma once
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <utility>

#include "harness/api/collectives.hpp"

namespace ddpbench {

// Collectives of a process group; a group of one rank is asked like any other. One per group.
class GroupCollectives final : public Collectives {
 public:
  explicit GroupCollectives(c10::intrusive_ptr<c10d::ProcessGroup> group) : group_(std::move(group)) {}

  std::int64_t rank() const override { return group_->getRank(); }
  std::int64_t world_size() const override { return group_->getSize(); }
  void broadcast(at::Tensor& tensor, std::int64_t from_rank) override;
  void all_reduce(at::Tensor& tensor, Reduction how) override;
  at::Tensor all_gather(const at::Tensor& mine) override;
  void barrier() override;
  void swap_with(at::Tensor& tensor, std::int64_t peer) override;

 private:
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
};

}  // namespace ddpbench
