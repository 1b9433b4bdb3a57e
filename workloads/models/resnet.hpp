#pragma once
#include <memory>
#include <string>

#include "harness/api/model.hpp"

namespace ddpbench {

// Says how a ResNet begins. imagenet: 7x7 stride 2 and a max pool (0.50 GFLOP per 32x32 image in training ResNet-50); cifar: 3x3
// stride 1, no pool (7.79 GFLOP).
enum class Stem { kImagenet, kCifar };

// Makes the network of He et al. 2015 (arXiv:1512.03385) with the stride in the 3x3 convolution ("v1.5"), as torchvision builds
// it: its parameter and buffer names, its initialisation (kaiming normal, fan out), and with the imagenet stem its bits from the
// same seed. Input [N, 3, H, W], output [N, classes].
std::shared_ptr<Model> make_resnet18(std::int64_t classes, Stem stem);
// Make the deeper ones, of bottleneck blocks, alike.
std::shared_ptr<Model> make_resnet50(std::int64_t classes, Stem stem);
std::shared_ptr<Model> make_resnet101(std::int64_t classes, Stem stem);

// "imagenet" or "cifar".
Stem stem_from(const std::string& name);

}  // namespace ddpbench
