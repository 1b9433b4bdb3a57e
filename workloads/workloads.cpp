#include <array>

#include "workloads/recipes.hpp"

namespace ddpbench {
namespace {

std::vector<OptionEntry> resnet_options() {
  auto options = common_options("cifar");
  options.insert(options.begin(), stem_option());
  return options;
}

std::vector<OptionEntry> null_options() {
  auto options = common_options("constant");
  options.insert(options.begin(), {"matmuls",
                                   OptionType::kInteger,
                                   "0",
                                   {},
                                   0,
                                   1e6,
                                   "dummy compute: products of 128 x 128 matrices in each forward, to lengthen the step"});
  return options;
}

}  // namespace

std::span<const WorkloadEntry> workloads() {
  static const std::array table{
      WorkloadEntry{"null", "one linear layer 3072 -> 10: the shortest step, for the wrapper's microseconds", "cifar10",
                    null_options(), make_null},
      WorkloadEntry{"convnet_cifar10", "PyTorch's CIFAR tutorial network, 62 thousand parameters", "cifar10",
                    common_options("cifar"), make_convnet_cifar10},
      WorkloadEntry{"resnet18_cifar10", "ResNet-18, 11.2 million parameters", "cifar10", resnet_options(), make_resnet18_cifar10},
      WorkloadEntry{"resnet50_cifar10", "ResNet-50, 23.5 million parameters", "cifar10", resnet_options(), make_resnet50_cifar10},
      WorkloadEntry{"resnet101_cifar10", "ResNet-101, 42.5 million parameters", "cifar10", resnet_options(),
                    make_resnet101_cifar10},
      WorkloadEntry{"convnet_cifar100", "the small network on 100 classes", "cifar100", common_options("cifar"),
                    make_convnet_cifar100},
      WorkloadEntry{"resnet18_cifar100", "ResNet-18 on 100 classes", "cifar100", resnet_options(), make_resnet18_cifar100},
      WorkloadEntry{"resnet50_cifar100", "ResNet-50 on 100 classes", "cifar100", resnet_options(), make_resnet50_cifar100},
      WorkloadEntry{"resnet101_cifar100", "ResNet-101 on 100 classes", "cifar100", resnet_options(), make_resnet101_cifar100},
  };
  return table;
}

}  // namespace ddpbench
