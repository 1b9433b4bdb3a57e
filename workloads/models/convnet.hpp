#pragma once
#include <memory>

#include "harness/api/model.hpp"

namespace ddpbench {

// Makes the small network of PyTorch's CIFAR tutorial: two 5x5 convolutions with pooling, three linear layers; 62,006 parameters
// at 10 classes.
std::shared_ptr<Model> make_convnet(std::int64_t classes);

}  // namespace ddpbench
