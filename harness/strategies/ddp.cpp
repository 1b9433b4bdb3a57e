#include <charconv>
#include <limits>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <utility>

#include "harness/strategies/single.hpp"
#include "harness/strategies/strategies.hpp"

namespace ddpbench {
namespace {

using BucketLayout = std::vector<std::vector<std::size_t>>;

struct DdpOptions {
  std::int64_t first_bucket_bytes = c10d::kDefaultFirstBucketBytes;
  std::int64_t bucket_bytes = c10d::kDefaultBucketBytesCap;
  bool gradient_as_bucket_view = false;
  bool broadcast_buffers = true;
};

// Python's rule: a cap given by the user is the first bucket's cap too.
DdpOptions read_options(const std::map<std::string, std::string>& options) {
  DdpOptions read;
  if (const auto& cap = options.at("bucket_cap_mb"); cap != "default") {
    double mib = 0;
    std::from_chars(cap.data(), cap.data() + cap.size(), mib);
    read.first_bucket_bytes = read.bucket_bytes = static_cast<std::int64_t>(mib * 1024 * 1024);
  }
  read.gradient_as_bucket_view = options.at("gradient_as_bucket_view") == "true";
  read.broadcast_buffers = options.at("broadcast_buffers") == "true";
  return read;
}

// DistributedDataParallel without Python: the same c10d::Reducer, driven in the same order. One per launch.
class Ddp final : public Single {
 public:
  explicit Ddp(const StrategyRequest& request) : group_(request.process_group), options_(read_options(request.options)) {}

  void set_up(Recipe& recipe) override {
    Single::set_up(recipe);
    c10d::verify_params_across_processes(group_, parameters(), std::nullopt);
    broadcast_from_rank0(parameters());
    broadcast_from_rank0(buffers());
    make_reducer();
  }

  void set_gradient_sync(bool sync) override { sync_ = sync; }

  at::Tensor forward(const at::Tensor& input) override {
    if (sync_) reducer_->prepare_for_forward();
    if (reducer_->should_rebuild_buckets()) reducer_->rebuild_buckets();
    if (options_.broadcast_buffers && synced_last_) broadcast_from_rank0(buffers());
    auto output = Single::forward(input);
    if (sync_) reducer_->prepare_for_backward({});  // {}: every parameter is used in every step
    synced_last_ = sync_;
    return output;
  }

 private:
  void broadcast_from_rank0(const std::vector<at::Tensor>& tensors) {
    constexpr std::size_t kBroadcastBucketBytes = std::size_t{250} << 20U;  // DDP's own
    if (tensors.empty()) return;
    const torch::NoGradGuard no_grad;
    c10d::broadcast_coalesced(group_, tensors, kBroadcastBucketBytes);
  }

  // Before the first step all gradients are one bucket; Reducer lays out anew in the order in which gradients came, after that step.
  BucketLayout first_layout() const {
    const std::vector<std::size_t> no_limit{std::numeric_limits<std::size_t>::max()};
    auto layout = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters(), no_limit, dense()));
    return {layout.rbegin(), layout.rend()};
  }

  std::vector<bool> dense() const { return std::vector<bool>(parameters().size(), false); }

  std::unordered_map<std::size_t, std::string> parameter_names() {
    std::unordered_map<std::size_t, std::string> names;
    for (const auto& parameter : model().named_parameters()) names.emplace(names.size(), parameter.key());
    return names;
  }

  void make_reducer() {
    const bool find_unused = false, skip_unused = false, python_reducer = false;
    reducer_ = std::make_unique<c10d::Reducer>(parameters(), first_layout(), group_, dense(), options_.bucket_bytes, find_unused,
                                               options_.gradient_as_bucket_view, parameter_names(), options_.first_bucket_bytes,
                                               skip_unused, python_reducer, std::vector<std::int64_t>{});
  }

  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  DdpOptions options_;
  std::unique_ptr<c10d::Reducer> reducer_;
  bool sync_ = true;
  bool synced_last_ = true;  // PyTorch's rule: buffers are broadcast in a forward that follows a synchronised step
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(const StrategyRequest& request) { return std::make_unique<Ddp>(request); }

}  // namespace ddpbench
