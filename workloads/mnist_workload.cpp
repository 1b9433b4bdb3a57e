#include "workloads/recipes.hpp"

namespace ddpbench {
namespace {

namespace nn = torch::nn;

constexpr double kMnistLearningRate = 0.01;

// The network of PyTorch's MNIST example, without its dropout: arms are compared bit for bit, and in each the drawn numbers would
// be others.
class MnistConvNet final : public Model {
 public:
  explicit MnistConvNet(std::int64_t classes)
      : conv1_(register_module("conv1", nn::Conv2d(1, 32, 3))),
        conv2_(register_module("conv2", nn::Conv2d(32, 64, 3))),
        fc1_(register_module("fc1", nn::Linear(64 * 12 * 12, 128))),
        fc2_(register_module("fc2", nn::Linear(128, classes))) {}

  // Returns logits: the loss is the cross-entropy, which is the example's log_softmax and nll_loss in one.
  at::Tensor forward(at::Tensor input) override {
    const auto x = torch::relu(conv2_(torch::relu(conv1_(input))));
    return fc2_(torch::relu(fc1_(torch::max_pool2d(x, 2).flatten(1))));
  }

 private:
  nn::Conv2d conv1_, conv2_;
  nn::Linear fc1_, fc2_;
};

}  // namespace

Recipe mnist_convnet_recipe(const std::string& dataset, const WorkloadRequest& request) {
  const auto model = std::make_shared<MnistConvNet>(class_count(dataset));
  auto recipe = classification_recipe({"mnist_convnet", model}, dataset, request, kMnistLearningRate);
  recipe.rewarm_steps = 4;
  return recipe;
}

}  // namespace ddpbench
