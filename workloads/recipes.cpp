#include "workloads/recipes.hpp"

#include <utility>

#include "suite/contract/launch/option_values.hpp"
#include "suite/formats/data_set.hpp"
#include "workloads/data/constant_cursor.hpp"
#include "workloads/data/data_options.hpp"
#include "workloads/data/image_cursor.hpp"
#include "workloads/models/weights.hpp"
#include "workloads/optimizers/sgd.hpp"

namespace ddpbench {
namespace {

SgdOptions sgd_options(const OptionValues& options, double learning_rate) {
  return {.learning_rate = options.number_or("learning_rate", learning_rate),
          .momentum = options.number("momentum"),
          .dampening = options.number("dampening"),
          .weight_decay = options.number("weight_decay"),
          .nesterov = options.is_on("nesterov")};
}

Loss cross_entropy(double label_smoothing) {
  constexpr std::int64_t kIgnoreNothing = -100;  // PyTorch's default
  return [label_smoothing](const at::Tensor& output, const at::Tensor& target) {
    return at::cross_entropy_loss(output, target, {}, at::Reduction::Mean, kIgnoreNothing, label_smoothing);
  };
}

std::unique_ptr<BatchCursor> make_batches(const WorkloadRequest& request, const std::string& dataset, const DataOptions& data) {
  const auto& set = find_data_set(dataset);
  if (!data.constant) return make_image_cursor(request, set, data);
  const auto format = data.channels_last ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
  return make_constant_cursor(request.batch_size_per_rank, set, request.seed + request.rank, format, request.device);
}

}  // namespace

std::vector<OptionEntry> common_options(const std::string& files, const std::string& default_data) {
  constexpr auto kNumber = OptionType::kNumber;
  constexpr auto kText = OptionType::kText;
  constexpr auto kSwitch = OptionType::kSwitch;
  auto options = data_options(files, default_data);
  const std::vector<OptionEntry> of_training{
      {"learning_rate", kNumber, "default", {}, 0, 1e6, "of SGD; `default` is the workload's own"},
      {"momentum", kNumber, "0.9", {}, 0, 1, "of SGD", {{"0", {{"nesterov", "false"}}}}},
      {"dampening", kNumber, "0", {}, 0, 1, "of SGD's momentum"},
      {"weight_decay", kNumber, "0", {}, 0, 1e6, "of SGD"},
      {"nesterov", kSwitch, "false", {}, 0, 0, "SGD looks ahead along its momentum", {{"true", {{"dampening", "0"}}}}},
      {"label_smoothing", kNumber, "0", {}, 0, 1, "share of the target spread over all classes"},
      {.name = "weights",
       .default_value = "",
       .help = "state_dict or checkpoint to start from (torch.save, Lightning); empty: initialised from the seed",
       .is_file = true},
      {"weights_head", kText, "file", {"file", "new"}, 0, 0, "the last layer's weights: the file's, or new ones from the seed"},
      {"frozen", kText, "none", {"none", "backbone"}, 0, 0, "what is not trained: nothing, or all but the last layer"},
  };
  options.insert(options.end(), of_training.begin(), of_training.end());
  options.push_back(compiled_option({{"last_batch", "drop"}}));  // a batch of another size would be compiled for in a timed step
  return options;
}

OptionEntry compiled_option(const std::map<std::string, std::string>& needs) {
  OptionEntry option{
      .name = kCompiledOption,
      .type = OptionType::kSwitch,
      .default_value = "false",
      .help = "the network by torch.compile, in all arms in Python alike; their first step compiles. No arm in C++ can"};
  if (!needs.empty()) option.needs = {{"true", needs}};
  return option;
}

namespace {

void start_from(const OptionValues& options, Model& model) {
  const auto& weights = options.text("weights");
  if (!weights.empty()) read_weights(weights, model, options.text("weights_head") == "new");
  if (options.text("frozen") == "backbone") freeze_backbone(model);
}

}  // namespace

std::int64_t class_count(const std::string& dataset) { return find_data_set(dataset).classes(); }

Recipe classification_recipe(NamedModel network, const std::string& dataset, const WorkloadRequest& request,
                             double learning_rate) {
  Recipe recipe;
  recipe.model = std::move(network.model);
  recipe.network = std::move(network.name);
  recipe.classes = class_count(dataset);
  const OptionValues options(request.options);
  const auto sgd = sgd_options(options, learning_rate);
  recipe.make_optimizer = [sgd](std::vector<at::Tensor> parameters) { return make_sgd(sgd, std::move(parameters)); };
  recipe.loss = cross_entropy(options.number("label_smoothing"));
  recipe.hyperparameters = {{"lr", sgd.learning_rate},          {"momentum", sgd.momentum},
                            {"dampening", sgd.dampening},       {"weight_decay", sgd.weight_decay},
                            {"nesterov", sgd.nesterov ? 1 : 0}, {"label_smoothing", options.number("label_smoothing")}};
  const auto data = data_options_from(request.options);
  if (data.channels_last) recipe.memory_format = at::MemoryFormat::ChannelsLast;
  start_from(options, *recipe.model);
  recipe.batches = make_batches(request, dataset, data);
  return recipe;
}

}  // namespace ddpbench
