#include "workloads/recipes.hpp"

#include <utility>

#include "workloads/data/cifar_cursor.hpp"
#include "workloads/data/constant_cursor.hpp"

namespace ddpbench {

std::vector<OptionEntry> data_option(const std::string& default_value) {
  return {
      {"data", OptionType::kText, default_value, {"cifar", "constant"}, 0, 0, "images from CIFAR files, or one constant batch"}};
}

OptionEntry stem_option() {
  return {"stem",
          OptionType::kText,
          "cifar",
          {"imagenet", "cifar"},
          0,
          0,
          "7x7 stride 2 and max pool, or 3x3 stride 1 (16 times the work)"};
}

std::int64_t class_count(const std::string& dataset) { return dataset == "cifar100" ? 100 : 10; }

Recipe classification_recipe(std::shared_ptr<Model> model, const WorkloadRequest& request, const std::string& dataset,
                             double learning_rate) {
  Recipe recipe;
  recipe.model = std::move(model);
  recipe.make_optimizer = [learning_rate](std::vector<at::Tensor> parameters) -> std::unique_ptr<torch::optim::Optimizer> {
    return std::make_unique<torch::optim::SGD>(std::move(parameters), torch::optim::SGDOptions(learning_rate).momentum(0.9));
  };
  recipe.loss = [](const at::Tensor& output, const at::Tensor& target) { return at::cross_entropy_loss(output, target); };
  const bool constant = request.options.at("data") == "constant";
  recipe.batches = constant ? make_constant_cursor(request.batch_size_per_rank, class_count(dataset), request.seed + request.rank)
                            : make_cifar_cursor(request, dataset);
  return recipe;
}

}  // namespace ddpbench
