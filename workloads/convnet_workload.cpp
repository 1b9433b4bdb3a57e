#include "workloads/models/convnet.hpp"
#include "workloads/recipes.hpp"

namespace ddpbench {
namespace {

constexpr double kLearningRate = 0.001;  // the tutorial's

}  // namespace

Recipe convnet_recipe(const std::string& dataset, const WorkloadRequest& request) {
  auto recipe = classification_recipe({"convnet", make_convnet(class_count(dataset))}, dataset, request, kLearningRate);
  recipe.rewarm_steps = 4;
  return recipe;
}

}  // namespace ddpbench
