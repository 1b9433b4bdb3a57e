#include <algorithm>
#include <array>
#include <utility>

#include "harness/api/workload.hpp"
#include "suite/base/random.hpp"
#include "suite/contract/launch/option_values.hpp"
#include "workloads/optimizers/adamw.hpp"

namespace ddpbench {
namespace {

namespace nn = torch::nn;

constexpr std::int64_t kTokens = 256, kWidth = 64, kHeads = 4, kBlocks = 2;
constexpr std::int64_t kSequences = 50'000;  // of an epoch
constexpr double kTransformerLearningRate = 1e-3;

// As in Python: of an input of three dimensions nn::Linear's own forward is a product and a sum, whose gradients round otherwise.
at::Tensor linear_of(const nn::Linear& layer, const at::Tensor& input) { return at::linear(input, layer->weight, layer->bias); }

// Of a decoder that normalises before each of its two branches (Radford et al. 2019, "Language Models are Unsupervised Multitask
// Learners", section 2.3), without dropout.
class DecoderBlock final : public nn::Module {
 public:
  DecoderBlock()
      : norm1_(register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({kWidth})))),
        attention_(register_module("attention", nn::Linear(kWidth, 3 * kWidth))),
        out_(register_module("out", nn::Linear(kWidth, kWidth))),
        norm2_(register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({kWidth})))),
        up_(register_module("up", nn::Linear(kWidth, 4 * kWidth))),
        down_(register_module("down", nn::Linear(4 * kWidth, kWidth))) {}

  at::Tensor forward(const at::Tensor& input) {
    const auto n = input.size(0), length = input.size(1);
    const auto parts =
        linear_of(attention_, norm1_(input)).view({n, length, 3, kHeads, kWidth / kHeads}).permute({2, 0, 3, 1, 4});
    const auto seen = at::scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, /*dropout_p=*/0, /*is_causal=*/true);
    const auto x = input + linear_of(out_, seen.transpose(1, 2).reshape({n, length, kWidth}));
    return x + linear_of(down_, at::gelu(linear_of(up_, norm2_(x))));
  }

 private:
  nn::LayerNorm norm1_;
  nn::Linear attention_, out_;
  nn::LayerNorm norm2_;
  nn::Linear up_, down_;
};

// Maps tokens [N, length] to logits [N length, kTokens]: of the loss over three dimensions a GPU has no deterministic kernel.
class Decoder final : public Model {
 public:
  explicit Decoder(std::int64_t length)
      : tokens_(register_module("tokens", nn::Embedding(kTokens, kWidth))),
        places_(register_module("places", nn::Embedding(length, kWidth))) {
    for (std::int64_t i = 0; i < kBlocks; ++i) blocks_->push_back(std::make_shared<DecoderBlock>());
    register_module("blocks", blocks_);
    norm_ = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({kWidth})));
    head_ = register_module("head", nn::Linear(kWidth, kTokens));
  }

  at::Tensor forward(at::Tensor input) override {
    auto x = tokens_(input) + places_(at::arange(input.size(1), input.options()));
    for (const auto& block : *blocks_) x = block->as<DecoderBlock>()->forward(x);
    return linear_of(head_, norm_(x)).flatten(0, 1);
  }

 private:
  nn::Embedding tokens_, places_;
  nn::ModuleList blocks_;
  nn::LayerNorm norm_{nullptr};
  nn::Linear head_{nullptr};
};

// Makes sequences that can be learned: a token is followed by the one that a permutation says, or, one time in eight, by any. A
// batch depends on seed, rank and position only.
class TokenCursor final : public BatchCursor {
 public:
  TokenCursor(const WorkloadRequest& request, std::int64_t length, bool is_constant)
      : request_(request), length_(length), is_constant_(is_constant) {
    for (std::size_t i = 0; i < next_.size(); ++i) next_[i] = static_cast<std::int64_t>(i);
    SplitMix64 words(mixed(static_cast<std::uint64_t>(request.seed)));
    shuffle(next_, words);
  }

  Batch next() override {
    const auto size = request_.batch_size_per_rank;
    const auto place = request_.rank + request_.world_size * (is_constant_ ? 0 : position_);
    SplitMix64 words(mixed(mixed(static_cast<std::uint64_t>(request_.seed)) + static_cast<std::uint64_t>(place)));
    ++position_;
    auto tokens = at::empty({size, length_ + 1}, at::kLong);
    auto* token = tokens.mutable_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < size; ++i) {
      auto now = drawn(words);
      for (std::int64_t k = 0; k <= length_; ++k, ++token) {
        *token = now;
        now = words.below(8) == 0 ? drawn(words) : next_[static_cast<std::size_t>(now)];
      }
    }
    Batch batch{tokens.narrow(1, 0, length_).contiguous(), tokens.narrow(1, 1, length_).flatten()};
    if (!request_.device.is_cpu()) batch = {batch.input.pin_memory(), batch.target.pin_memory()};
    return batch;
  }
  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override {
    return std::max<std::int64_t>(1, kSequences / (request_.world_size * request_.batch_size_per_rank));
  }

 private:
  static std::int64_t drawn(SplitMix64& words) { return static_cast<std::int64_t>(words.below(kTokens)); }

  WorkloadRequest request_;
  std::int64_t length_, position_ = 0;
  bool is_constant_;
  std::array<std::int64_t, kTokens> next_{};  // token -> the one that follows
};

}  // namespace

std::vector<OptionEntry> transformer_options() {
  constexpr auto kNumber = OptionType::kNumber;
  return {
      {"data",
       OptionType::kText,
       "generated",
       {"generated", "constant"},
       0,
       0,
       "sequences made up: others in each batch, or one batch"},
      {"sequence_length", OptionType::kInteger, "64", {}, 1, 4096, "tokens of a sequence"},
      {"learning_rate", kNumber, "default", {}, 0, 1e6, "of AdamW; `default` is the workload's own"},
      {"weight_decay", kNumber, "0.01", {}, 0, 1e6, "of AdamW"},
      compiled_option({}),
  };
}

Recipe transformer_recipe(const std::string& /*dataset*/, const WorkloadRequest& request) {
  const OptionValues options(request.options);
  const auto length = options.integer("sequence_length");
  const AdamwOptions adamw{.learning_rate = options.number_or("learning_rate", kTransformerLearningRate),
                           .weight_decay = options.number("weight_decay")};
  Recipe recipe;
  recipe.model = std::make_shared<Decoder>(length);
  recipe.network = "transformer";
  recipe.classes = kTokens;
  recipe.make_optimizer = [adamw](std::vector<at::Tensor> parameters) { return make_adamw(adamw, std::move(parameters)); };
  recipe.optimizer = "adamw";
  recipe.hyperparameters = {
      {"lr", adamw.learning_rate},          {"beta1", adamw.beta1}, {"beta2", adamw.beta2}, {"eps", adamw.eps},
      {"weight_decay", adamw.weight_decay}, {"label_smoothing", 0}};
  recipe.loss = [](const at::Tensor& output, const at::Tensor& target) { return at::cross_entropy_loss(output, target); };
  recipe.batches = std::make_unique<TokenCursor>(request, length, options.text("data") == "constant");
  recipe.rewarm_steps = 4;
  return recipe;
}

}  // namespace ddpbench
