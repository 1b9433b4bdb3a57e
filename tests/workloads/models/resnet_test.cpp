#include "workloads/models/resnet.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ddpbench {
namespace {

std::int64_t parameters(const Model& model) {
  std::int64_t count = 0;
  for (const auto& parameter : model.parameters()) count += parameter.numel();
  return count;
}

// torchvision's counts; the CIFAR stem has a 3x3 first convolution.
TEST(ResNet, HasTorchvisionsParameterCounts) {
  EXPECT_EQ(parameters(*make_resnet50(1000, Stem::kImagenet)), 25'557'032);
  EXPECT_EQ(parameters(*make_resnet50(10, Stem::kCifar)), 23'520'842);
  EXPECT_EQ(parameters(*make_resnet18(1000, Stem::kImagenet)), 11'689'512);
}

TEST(ResNet, UsesTorchvisionsNames) {
  const auto model = make_resnet50(10, Stem::kImagenet);
  std::set<std::string> names;
  for (const auto& parameter : model->named_parameters()) names.insert(parameter.key());
  for (const auto& buffer : model->named_buffers()) names.insert(buffer.key());
  for (const std::string name : {"conv1.weight", "bn1.running_mean", "layer1.0.downsample.0.weight", "layer1.0.downsample.1.bias",
                                 "layer3.5.conv3.weight", "layer4.2.bn3.num_batches_tracked", "fc.bias"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

TEST(ResNet, StemsSeeTheImageAtTheirOwnScale) {
  const torch::NoGradGuard no_grad;
  const auto input = torch::ones({2, 3, 32, 32});
  EXPECT_EQ(make_resnet18(7, Stem::kImagenet)->forward(input).sizes(), (std::vector<std::int64_t>{2, 7}));
  EXPECT_EQ(make_resnet18(7, Stem::kCifar)->forward(input).sizes(), (std::vector<std::int64_t>{2, 7}));
}

}  // namespace
}  // namespace ddpbench
