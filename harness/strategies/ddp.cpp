#include <limits>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <utility>

#include "harness/api/torch_release.hpp"
#include "harness/strategies/single.hpp"
#include "harness/strategies/strategies.hpp"
#include "harness/strategies/sync_batch_norm.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/option_values.hpp"

namespace ddpbench {
namespace {

using BucketLayout = std::vector<std::vector<std::size_t>>;

struct DdpOptions {
  std::int64_t bucket_bytes;
  std::int64_t first_bucket_bytes;
  bool first_bucket_is_limited;  // in the layout of the first step too
  bool gradient_as_bucket_view;
  bool broadcast_buffers;
  bool find_unused_parameters;
  bool static_graph;
  bool sync_batchnorm;
};

std::int64_t bytes_of(double mib) { return static_cast<std::int64_t>(mib * 1024 * 1024); }

// Reducer fails in the first backward of a static graph if that one is not synchronised; Python's DDP, too, and with no better word.
void refuse_what_reducer_cannot(const OptionValues& options) {
  if (!options.is_on("static_graph") || options.integer("accumulate") == 1) return;
  throw UsageError(
      "strategy ddp: static_graph = true needs accumulate = 1: the first backward of a static graph must be synchronised");
}

// Python's rule: a cap given by the user is the first bucket's cap too.
DdpOptions read_options(const std::map<std::string, std::string>& given) {
  const OptionValues options(given);
  refuse_what_reducer_cannot(options);
  constexpr double kMib = 1024.0 * 1024.0;
  const auto cap = options.number_or("bucket_cap_mb", c10d::kDefaultBucketBytesCap / kMib);
  const bool cap_is_default = options.text("bucket_cap_mb") == "default";
  const auto first = options.number_or("first_bucket_mb", cap_is_default ? c10d::kDefaultFirstBucketBytes / kMib : cap);
  return {.bucket_bytes = bytes_of(cap),
          .first_bucket_bytes = bytes_of(first),
          .first_bucket_is_limited = cap_is_default || options.text("first_bucket_mb") != "default",
          .gradient_as_bucket_view = options.is_on("gradient_as_bucket_view"),
          .broadcast_buffers = options.is_on("broadcast_buffers"),
          .find_unused_parameters = options.is_on("find_unused_parameters"),
          .static_graph = options.is_on("static_graph"),
          .sync_batchnorm = options.is_on("sync_batchnorm")};
}

// Python's _DDPSink: the identity (a copy), at whose backward a static graph's first step asks for its all-reduce to come after all
// gradients. Undefined gradients stay undefined.
class Sink final : public torch::autograd::Function<Sink> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& output,
                            std::function<void()> at_backward) {
    context->set_materialize_grads(false);
    context->saved_data["at_backward"] = c10::IValue::make_capsule(c10::make_intrusive<Action>(std::move(at_backward)));
    return output.clone();
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    static_cast<Action*>(context->saved_data["at_backward"].toCapsule().get())->run();
    return {gradients.front(), at::Tensor()};
  }

 private:
  struct Action final : torch::CustomClassHolder {
    explicit Action(std::function<void()> body) : run(std::move(body)) {}
    std::function<void()> run;
  };
};

// DistributedDataParallel without Python: the same c10d::Reducer, driven in the same order. One per launch.
class Ddp final : public Single {
 public:
  explicit Ddp(const StrategyRequest& request) : group_(request.process_group), options_(read_options(request.options)) {}

  void set_up(Recipe& recipe) override {
    Single::set_up(recipe);
    c10d::verify_params_across_processes(group_, parameters(), std::nullopt);
    broadcast_from_rank0(parameters());
    if (options_.broadcast_buffers) broadcast_from_rank0(buffers());
    if (options_.sync_batchnorm) sync_batch_norm_ = synchronize_batch_norm(model(), group_);
    make_reducer();
  }

  void set_gradient_sync(bool sync) override { sync_ = sync; }

  at::Tensor forward(const at::Tensor& input) override {
    const bool with_gradients = at::GradMode::is_enabled();
    const bool armed = with_gradients && sync_;
    if (armed) reducer_->prepare_for_forward();
    if (with_gradients) reducer_->rebuild_buckets();  // once; at every call it finds a reduction that was left unfinished
    if (options_.broadcast_buffers && synced_last_) broadcast_from_rank0(buffers());
    auto output = Single::forward(input);
    if (armed) reducer_->prepare_for_backward(finds_unused() ? std::vector<at::Tensor>{output} : std::vector<at::Tensor>{});
    synced_last_ = armed;
    return with_gradients && needs_sink() ? Sink::apply(output, [this] { delay_first_all_reduce(); }) : output;
  }

 private:
  bool finds_unused() const { return options_.find_unused_parameters && !options_.static_graph; }
  bool needs_sink() const { return finds_unused() || (options_.static_graph && !first_all_reduce_delayed_); }

  void delay_first_all_reduce() {
    if (!options_.static_graph || std::exchange(first_all_reduce_delayed_, true)) return;
    torch::autograd::Engine::get_default_engine().queue_callback([this] { reducer_->delay_all_reduce(); });
  }

  void broadcast_from_rank0(const std::vector<at::Tensor>& tensors) {
    constexpr std::size_t kBroadcastBucketBytes = std::size_t{250} << 20U;  // DDP's own
    if (tensors.empty()) return;
    const torch::NoGradGuard no_grad;
    c10d::broadcast_coalesced(group_, tensors, kBroadcastBucketBytes);
  }

  // Before the first step all gradients are one bucket, for Reducer lays out anew in the order in which gradients came, after that step.
  // Where unused parameters are looked for it never does, and the first layout has the limits that are asked for.
  BucketLayout first_layout() const {
    std::vector<std::size_t> limits{std::numeric_limits<std::size_t>::max()};
    if (finds_unused()) {
      limits = {static_cast<std::size_t>(options_.bucket_bytes)};
      if (options_.first_bucket_is_limited) limits.insert(limits.begin(), static_cast<std::size_t>(options_.first_bucket_bytes));
    }
    auto layout = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters(), limits, dense()));
    return {layout.rbegin(), layout.rend()};
  }

  std::vector<bool> dense() const { return std::vector<bool>(parameters().size(), false); }

  std::unordered_map<std::size_t, std::string> parameter_names() {
    std::unordered_map<std::size_t, std::string> names;
    for (const auto& parameter : model().named_parameters()) names.emplace(names.size(), parameter.key());
    return names;
  }

  void make_reducer() {
    reducer_ = ddpbench::make_reducer<c10d::Reducer>(parameters(), first_layout(), group_, dense(), options_.bucket_bytes,
                                                     options_.find_unused_parameters, options_.gradient_as_bucket_view,
                                                     parameter_names(), options_.first_bucket_bytes);
    if (options_.static_graph) reducer_->set_static_graph();
    logger_ = std::make_shared<c10d::Logger>(reducer_);
    reducer_->set_logger(logger_);
  }

  c10::intrusive_ptr<c10d::ProcessGroup> group_;
  DdpOptions options_;
  std::shared_ptr<c10d::Reducer> reducer_;
  std::shared_ptr<c10d::Logger>
      logger_;  // Reducer writes into it where it looks for unused parameters, and does not ask if it is there
  std::unique_ptr<BatchNormalizer> sync_batch_norm_;
  bool sync_ = true;
  bool synced_last_ = true;  // PyTorch's rule: buffers are broadcast in a forward that follows a synchronised step
  bool first_all_reduce_delayed_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(const StrategyRequest& request) { return std::make_unique<Ddp>(request); }

}  // namespace ddpbench
