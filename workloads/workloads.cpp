#include <array>

#include "suite/formats/data_set.hpp"
#include "workloads/recipes.hpp"

namespace ddpbench {

// What the table's lines name; each is defined in the file of its family (NAME_workload.cpp).
std::vector<OptionEntry> null_options();
std::vector<OptionEntry> resnet_options();
std::vector<CellExclusion> resnet_exclusions();
std::vector<OptionEntry> transformer_options();
Recipe transformer_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe module_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe null_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe convnet_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe mnist_convnet_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe resnet18_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe resnet50_recipe(const std::string& dataset, const WorkloadRequest& request);
Recipe resnet101_recipe(const std::string& dataset, const WorkloadRequest& request);

namespace {

auto make_workloads() {
  std::array table{
      WorkloadFactory{
          {"null", "one linear layer 3072 -> 10: the shortest step, for the wrapper's microseconds", null_options(), "cifar10"},
          null_recipe},
      WorkloadFactory{{"convnet_cifar10", "PyTorch's CIFAR tutorial network, 62 thousand parameters",
                       common_options("cifar", "cifar"), "cifar10"},
                      convnet_recipe},
      WorkloadFactory{
          {"resnet18_cifar10", "ResNet-18, 11.2 million parameters", resnet_options(), "cifar10", 0, resnet_exclusions()},
          resnet18_recipe},
      WorkloadFactory{
          {"resnet50_cifar10", "ResNet-50, 23.5 million parameters", resnet_options(), "cifar10", 0, resnet_exclusions()},
          resnet50_recipe},
      WorkloadFactory{
          {"resnet101_cifar10", "ResNet-101, 42.5 million parameters", resnet_options(), "cifar10", 0, resnet_exclusions()},
          resnet101_recipe},
      WorkloadFactory{{"convnet_cifar100", "the small network on 100 classes", common_options("cifar", "cifar"), "cifar100"},
                      convnet_recipe},
      WorkloadFactory{{"resnet18_cifar100", "ResNet-18 on 100 classes", resnet_options(), "cifar100", 0, resnet_exclusions()},
                      resnet18_recipe},
      WorkloadFactory{{"resnet50_cifar100", "ResNet-50 on 100 classes", resnet_options(), "cifar100", 0, resnet_exclusions()},
                      resnet50_recipe},
      WorkloadFactory{{"resnet101_cifar100", "ResNet-101 on 100 classes", resnet_options(), "cifar100", 0, resnet_exclusions()},
                      resnet101_recipe},
      WorkloadFactory{{"mnist_convnet", "the network of PyTorch's MNIST example without dropout, 1.2 million parameters",
                       common_options("mnist", "mnist"), "mnist"},
                      mnist_convnet_recipe},
      WorkloadFactory{{"transformer_lm", "a decoder of two blocks on generated tokens, 137 thousand parameters, AdamW",
                       transformer_options()},
                      transformer_recipe},
      WorkloadFactory{
          {kModuleWorkload, "nothing of its own: arms bring LightningModules of yours (py_lightning=NAME, [modules])"},
          module_recipe},
  };
  for (auto& workload : table) {
    if (!workload.dataset.empty()) workload.epoch_samples = find_data_set(workload.dataset).records(Split::kTrain);
  }
  return table;
}

}  // namespace

std::span<const WorkloadFactory> workloads() {
  static const auto table = make_workloads();
  return table;
}

}  // namespace ddpbench
