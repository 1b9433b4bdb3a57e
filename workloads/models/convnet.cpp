#include "workloads/models/convnet.hpp"

namespace ddpbench {
namespace {

namespace nn = torch::nn;

class ConvNet final : public Model {
 public:
  explicit ConvNet(std::int64_t classes)
      : conv1_(register_module("conv1", nn::Conv2d(3, 6, 5))),
        conv2_(register_module("conv2", nn::Conv2d(6, 16, 5))),
        fc1_(register_module("fc1", nn::Linear(16 * 5 * 5, 120))),
        fc2_(register_module("fc2", nn::Linear(120, 84))),
        fc3_(register_module("fc3", nn::Linear(84, classes))) {}

  at::Tensor forward(at::Tensor input) override {
    auto x = torch::max_pool2d(torch::relu(conv1_(input)), 2);
    x = torch::max_pool2d(torch::relu(conv2_(x)), 2);
    x = torch::relu(fc1_(x.flatten(1)));
    return fc3_(torch::relu(fc2_(x)));
  }

 private:
  nn::Conv2d conv1_, conv2_;
  nn::Linear fc1_, fc2_, fc3_;
};

}  // namespace

std::shared_ptr<Model> make_convnet(std::int64_t classes) { return std::make_shared<ConvNet>(classes); }

}  // namespace ddpbench
