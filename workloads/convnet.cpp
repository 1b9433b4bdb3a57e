#include "workloads/models/convnet.hpp"

#include "workloads/recipes.hpp"

namespace ddpbench {
namespace {

constexpr double kLearningRate = 0.001;  // the tutorial's

Recipe make(const WorkloadRequest& request, const std::string& dataset) {
  return classification_recipe(make_convnet(class_count(dataset)), request, dataset, kLearningRate);
}

}  // namespace

Recipe make_convnet_cifar10(const WorkloadRequest& request) { return make(request, "cifar10"); }
Recipe make_convnet_cifar100(const WorkloadRequest& request) { return make(request, "cifar100"); }

}  // namespace ddpbench
