#pragma once
#include <utility>

#include "harness/api/batch_norm.hpp"
#include "harness/api/model.hpp"

namespace ddpbench::parity {

// python_training.Twin in C++: convolutions with BatchNorm, and a layer that only batches of odd size use, so that parameters without a
// gradient can be had at will. 2,452 parameters.
class Twin final : public Model {
 public:
  at::Tensor forward(at::Tensor input) override {
    auto x = torch::relu(bn1_(conv1_(input)));
    x = torch::relu(bn2_(conv2_(x))).mean({2, 3});
    if (input.size(0) % 2 == 1) x = x + spare_(x);
    return fc2_(torch::relu(fc1_(x)));
  }

 private:
  template <class Module>
  Module add(const char* name, Module module) {
    return register_module(name, std::move(module));
  }
  static torch::nn::Conv2d convolution(std::int64_t in, std::int64_t out) {
    return torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, 3).stride(2).padding(1).bias(false));
  }

  torch::nn::Conv2d conv1_ = add("conv1", convolution(3, 8));
  BatchNorm2d bn1_ = add("bn1", BatchNorm2d(8));
  torch::nn::Conv2d conv2_ = add("conv2", convolution(8, 12));
  BatchNorm2d bn2_ = add("bn2", BatchNorm2d(12));
  torch::nn::Linear spare_ = add("spare", torch::nn::Linear(12, 12));
  torch::nn::Linear fc1_ = add("fc1", torch::nn::Linear(12, 50));
  torch::nn::Linear fc2_ = add("fc2", torch::nn::Linear(50, 10));
};

}  // namespace ddpbench::parity
