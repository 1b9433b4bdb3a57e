#include "harness/strategies/reducer_strategy.hpp"

#include <limits>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <utility>

#include "harness/api/torch_release.hpp"
#include "harness/strategies/sync_batch_norm.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/launch/option_values.hpp"

namespace ddpbench {
namespace {

std::int64_t bytes_of(double mib) { return static_cast<std::int64_t>(mib * 1024 * 1024); }

// Reducer fails in the first backward of a static graph if that one is not synchronised; so does Python's DDP, with no clearer message.
void refuse_what_reducer_cannot(const OptionValues& options) {
  if (!options.is_on("static_graph") || options.integer("accumulate") == 1) return;
  throw UsageError("static_graph = true needs accumulate = 1: the first backward of a static graph must be synchronised");
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

}  // namespace

// Python's rule: a cap given by the user is the first bucket's cap too.
ReducerOptions reducer_options_from(const std::map<std::string, std::string>& given) {
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

std::vector<std::int64_t> bucket_bytes(const std::vector<at::Tensor>& parameters, const ReducerOptions& options) {
  const std::vector<at::Tensor> arriving(parameters.rbegin(), parameters.rend());
  const std::vector<std::size_t> limits{static_cast<std::size_t>(options.first_bucket_bytes),
                                        static_cast<std::size_t>(options.bucket_bytes)};
  std::vector<std::int64_t> bytes;
  const auto layout = std::get<0>(c10d::compute_bucket_assignment_by_size(arriving, limits, {}));
  for (const auto& bucket : layout) {
    auto& sum = bytes.emplace_back(0);
    for (const auto place : bucket) sum += static_cast<std::int64_t>(arriving[place].nbytes());
  }
  return bytes;
}

ReducerStrategy::ReducerStrategy(c10::intrusive_ptr<c10d::ProcessGroup> group, const ReducerOptions& options, Hook hook)
    : group_(std::move(group)), options_(options), hook_(std::move(hook)) {}

void ReducerStrategy::set_up(Recipe& recipe) {
  Single::set_up(recipe);
  c10d::verify_params_across_processes(group_, parameters(), std::nullopt);
  broadcast_from_rank0(parameters());
  if (options_.broadcast_buffers) broadcast_from_rank0(buffers());
  if (options_.sync_batchnorm) sync_batch_norm_ = synchronize_batch_norm(model(), group_);
  make_reducer();
}

at::Tensor ReducerStrategy::forward(const at::Tensor& input) {
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

void ReducerStrategy::delay_first_all_reduce() {
  if (!options_.static_graph || std::exchange(first_all_reduce_delayed_, true)) return;
  torch::autograd::Engine::get_default_engine().queue_callback([this] { reducer_->delay_all_reduce(); });
}

void ReducerStrategy::broadcast_from_rank0(const std::vector<at::Tensor>& tensors) {
  constexpr std::size_t kBroadcastBucketBytes = std::size_t{250} << 20U;  // DDP's own
  if (tensors.empty()) return;
  const torch::NoGradGuard no_grad;
  c10d::broadcast_coalesced(group_, tensors, kBroadcastBucketBytes);
}

// Before the first step all gradients are one bucket, for Reducer lays out anew in the order in which gradients came, after that step.
// Where unused parameters are looked for it never does, and the first layout has the limits that are asked for.
ReducerStrategy::BucketLayout ReducerStrategy::first_layout() const {
  std::vector<std::size_t> limits{std::numeric_limits<std::size_t>::max()};
  if (finds_unused()) {
    limits = {static_cast<std::size_t>(options_.bucket_bytes)};
    if (options_.first_bucket_is_limited) limits.insert(limits.begin(), static_cast<std::size_t>(options_.first_bucket_bytes));
  }
  auto layout = std::get<0>(c10d::compute_bucket_assignment_by_size(parameters(), limits, dense()));
  return {layout.rbegin(), layout.rend()};
}

std::unordered_map<std::size_t, std::string> ReducerStrategy::parameter_names() {
  std::unordered_map<std::size_t, std::string> names;
  for (const auto& parameter : model().named_parameters()) {
    if (parameter.value().requires_grad()) names.emplace(names.size(), parameter.key());
  }
  return names;
}

void ReducerStrategy::make_reducer() {
  reducer_ = ddpbench::make_reducer<c10d::Reducer>(parameters(), first_layout(), group_, dense(), options_.bucket_bytes,
                                                   options_.find_unused_parameters, options_.gradient_as_bucket_view,
                                                   parameter_names(), options_.first_bucket_bytes);
  if (options_.static_graph) reducer_->set_static_graph();
  logger_ = std::make_shared<c10d::Logger>(reducer_);
  reducer_->set_logger(logger_);
  if (hook_) reducer_->register_comm_hook(std::move(hook_));
}

}  // namespace ddpbench
