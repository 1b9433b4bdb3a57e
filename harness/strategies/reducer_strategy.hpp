#pragma once
#include <map>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <vector>

#include "harness/api/batch_norm.hpp"
#include "harness/strategies/single.hpp"

namespace ddpbench {

// Says how c10d::Reducer lays out and hands back gradients, in its own terms.
struct ReducerOptions {
  std::int64_t bucket_bytes;
  std::int64_t first_bucket_bytes;
  bool first_bucket_is_limited;  // in the layout of the first step too
  bool gradient_as_bucket_view;
  bool broadcast_buffers;
  bool find_unused_parameters;
  bool static_graph;
  bool sync_batchnorm;
};

// Reads a strategy's options as an experiment gives them (strategies.cpp has their table). Throws UsageError for those that
// Reducer cannot combine.
ReducerOptions reducer_options_from(const std::map<std::string, std::string>& given);

// Returns the bytes of the buckets in which Reducer hands over dense gradients of these parameters from its second step on, in
// the order in which a backward fills them, as far as gradients come in the parameters' order from the last to the first.
// Computed by c10d's own rule.
std::vector<std::int64_t> bucket_bytes(const std::vector<at::Tensor>& parameters, const ReducerOptions& options);

// Trains a replica whose gradients c10d::Reducer gathers in buckets and hands to a communication hook while backward goes on,
// driven in the order in which Python's DistributedDataParallel drives it: rank 0's parameters and buffers first, buffers again
// in a forward that follows a synchronised step, one bucket until the layout is rebuilt. Strategies differ in the hook. There is
// one per launch.
class ReducerStrategy : public Single {
 public:
  // A strategy that is Reducer with another hook derives nothing: it hands the hook over. null: Reducer's own, an all-reduce to
  // the mean. A hook's future holds the bucket's result on every rank; where ranks shall stay replicas it is the same there, bit
  // for bit.
  using Hook = std::unique_ptr<c10d::CommHookInterface>;
  ReducerStrategy(c10::intrusive_ptr<c10d::ProcessGroup> group, const ReducerOptions& options, Hook hook = nullptr);

  void set_up(Recipe& recipe) override;
  void set_gradient_sync(bool sync) override { sync_ = sync; }
  at::Tensor forward(const at::Tensor& input) override;

 private:
  using BucketLayout = std::vector<std::vector<std::size_t>>;

  bool finds_unused() const { return options_.find_unused_parameters && !options_.static_graph; }
  bool needs_sink() const { return finds_unused() || (options_.static_graph && !first_all_reduce_delayed_); }
  void delay_first_all_reduce();
  void broadcast_from_rank0(const std::vector<at::Tensor>& tensors);
  BucketLayout first_layout() const;
  std::vector<bool> dense() const { return std::vector<bool>(parameters().size(), false); }
  std::unordered_map<std::size_t, std::string> parameter_names();
  void make_reducer();

  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  ReducerOptions options_;
  Hook hook_;  // until Reducer takes it
  std::shared_ptr<c10d::Reducer> reducer_;
  // Reducer writes into it where it looks for unused parameters, and does not ask if it is there.
  std::shared_ptr<c10d::Logger> logger_;
  std::unique_ptr<BatchNormalizer> sync_batch_norm_;
  bool sync_ = true;
  bool synced_last_ = true;  // PyTorch's rule: buffers are broadcast in a forward that follows a synchronised step
  bool first_all_reduce_delayed_ = false;
};

}  // namespace ddpbench
