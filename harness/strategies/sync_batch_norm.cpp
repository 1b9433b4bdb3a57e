#include "harness/strategies/sync_batch_norm.hpp"

#include <utility>

namespace ddpbench {
namespace {

using Group = c10::intrusive_ptr<c10d::ProcessGroup>;

struct Statistics {
  at::Tensor mean, variance;  // [C], over all ranks
  at::Tensor count;           // [], values per channel over all ranks
};

at::Tensor per_channel(const at::Tensor& values) { return values.reshape({1, -1, 1, 1}); }

at::Tensor channel_sum(const at::Tensor& values) { return values.sum({0, 2, 3}); }

at::Tensor gathered(const Group& group, const at::Tensor& mine) {
  std::vector<std::vector<at::Tensor>> all(1);
  for (int rank = 0; rank < group->getSize(); ++rank) all.front().push_back(at::empty_like(mine));
  std::vector<at::Tensor> inputs{mine};
  group->allgather(all, inputs)->wait();
  return at::stack(all.front());
}

// Chan, Golub and LeVeque 1979: means and variances of the parts, weighted by their counts, give the whole's without cancellation.
Statistics statistics_over_ranks(const Group& group, const at::Tensor& input) {
  const auto [variance, mean] = at::var_mean(input, at::IntArrayRef{0, 2, 3}, /*unbiased=*/false);
  const auto count = at::full({1}, input.numel() / input.size(1), mean.options());
  const auto all = gathered(group, at::cat({mean, variance, count}));
  const auto channels = mean.size(0);
  const auto means = all.narrow(1, 0, channels), variances = all.narrow(1, channels, channels),
             counts = all.narrow(1, 2 * channels, 1);
  const auto total = counts.sum();
  const auto whole_mean = (means * counts).sum(0) / total;
  const auto whole_variance = ((variances + (means - whole_mean).square()) * counts).sum(0) / total;
  return {whole_mean, whole_variance, total};
}

// What a batch is normalised by, and over which ranks.
struct OverRanks {
  Statistics statistics;
  double epsilon;
  Group group;
};

class Normalize final : public torch::autograd::Function<Normalize> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input, const at::Tensor& weight,
                            const at::Tensor& bias, const OverRanks& over) {
    const auto inverse_deviation = (over.statistics.variance + over.epsilon).rsqrt();
    const auto normalized = (input - per_channel(over.statistics.mean)) * per_channel(inverse_deviation);
    context->save_for_backward({normalized, weight, inverse_deviation, over.statistics.count});
    context->saved_data["group"] = over.group;
    return normalized * per_channel(weight) + per_channel(bias);
  }

  // With n the normalised input: dx = weight / sigma * (dy - mean(dy) - n mean(dy n)), means over all ranks; weight's and bias's
  // gradients are this rank's own, for DDP averages those.
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &normalized = saved[0], &weight = saved[1], &inverse_deviation = saved[2], &count = saved[3];
    const auto& gradient = gradients.front();
    const auto sum = channel_sum(gradient), product_sum = channel_sum(gradient * normalized);
    std::vector<at::Tensor> sums{at::stack({sum, product_sum})};
    context->saved_data["group"].toCustomClass<c10d::ProcessGroup>()->allreduce(sums)->wait();
    const auto means = sums.front() / count;
    const auto centred = gradient - per_channel(means[0]) - normalized * per_channel(means[1]);
    return {centred * per_channel(weight * inverse_deviation), product_sum, sum, {}};
  }
};

void update_running(torch::nn::BatchNorm2dImpl& layer, const Statistics& statistics, double momentum) {
  const torch::NoGradGuard no_grad;
  const auto unbiased = statistics.variance * (statistics.count / (statistics.count - 1));
  layer.running_mean.lerp_(statistics.mean, momentum);
  layer.running_var.lerp_(unbiased, momentum);
}

class SyncBatchNorm final : public BatchNormalizer {
 public:
  explicit SyncBatchNorm(Group group) : group_(std::move(group)) {}

  at::Tensor normalize(const at::Tensor& input, torch::nn::BatchNorm2dImpl& layer, double momentum) override {
    const auto values = input.to(at::kFloat);
    const auto statistics = [&] {
      const torch::NoGradGuard no_grad;
      return statistics_over_ranks(group_, values);
    }();
    update_running(layer, statistics, momentum);
    const OverRanks over{statistics, layer.options.eps(), group_};
    return Normalize::apply(values, layer.weight, layer.bias, over).to(input.scalar_type());
  }

 private:
  Group group_;
};

}  // namespace

std::unique_ptr<BatchNormalizer> synchronize_batch_norm(Model& model, c10::intrusive_ptr<c10d::ProcessGroup> group) {
  auto normalizer = std::make_unique<SyncBatchNorm>(std::move(group));
  for (const auto& module : model.modules(/*include_self=*/false)) {
    if (auto* layer = module->as<BatchNorm2dImpl>()) layer->synchronize(normalizer.get());
  }
  return normalizer;
}

}  // namespace ddpbench
