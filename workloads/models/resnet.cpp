#include "workloads/models/resnet.hpp"

#include <array>
#include <string>
#include <vector>

#include "harness/api/batch_norm.hpp"

namespace ddpbench {
namespace {

namespace nn = torch::nn;

nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

// One residual block, in place where torchvision is; what differs between the two kinds is its branch. As in torchvision the convolution
// of the shortcut is made, and draws its first weights, before the branch's, comes after them in the list of modules, and runs after
// them: in the reverse order gradients come, and DDP lays out its buckets.
class Block : public nn::Module {
 public:
  virtual at::Tensor branch(const at::Tensor& input) = 0;
  at::Tensor forward(const at::Tensor& input) {
    const auto residual = branch(input);
    return residual.add_(downsample_.is_empty() ? input : downsample_->forward(input)).relu_();
  }

 protected:
  Block(std::int64_t in, std::int64_t out, std::int64_t stride) {
    if (stride != 1 || in != out) downsample_ = nn::Sequential(convolution(in, out, 1, stride), BatchNorm2d(out));
  }
  void register_downsample() {
    if (!downsample_.is_empty()) register_module("downsample", downsample_);
  }

 private:
  nn::Sequential downsample_{nullptr};
};

class BasicBlock final : public Block {
 public:
  static constexpr std::int64_t kExpansion = 1;
  BasicBlock(std::int64_t in, std::int64_t width, std::int64_t stride)
      : Block(in, width, stride),
        conv1_(register_module("conv1", convolution(in, width, 3, stride))),
        bn1_(register_module("bn1", BatchNorm2d(width))),
        conv2_(register_module("conv2", convolution(width, width, 3, 1))),
        bn2_(register_module("bn2", BatchNorm2d(width))) {
    register_downsample();
  }
  at::Tensor branch(const at::Tensor& input) override { return bn2_(conv2_(bn1_(conv1_(input)).relu_())); }

 private:
  nn::Conv2d conv1_;
  BatchNorm2d bn1_;
  nn::Conv2d conv2_;
  BatchNorm2d bn2_;
};

class Bottleneck final : public Block {
 public:
  static constexpr std::int64_t kExpansion = 4;
  Bottleneck(std::int64_t in, std::int64_t width, std::int64_t stride)
      : Block(in, width * kExpansion, stride),
        conv1_(register_module("conv1", convolution(in, width, 1, 1))),
        bn1_(register_module("bn1", BatchNorm2d(width))),
        conv2_(register_module("conv2", convolution(width, width, 3, stride))),
        bn2_(register_module("bn2", BatchNorm2d(width))),
        conv3_(register_module("conv3", convolution(width, width * kExpansion, 1, 1))),
        bn3_(register_module("bn3", BatchNorm2d(width * kExpansion))) {
    register_downsample();
  }
  at::Tensor branch(const at::Tensor& input) override { return bn3_(conv3_(bn2_(conv2_(bn1_(conv1_(input)).relu_())).relu_())); }

 private:
  nn::Conv2d conv1_;
  BatchNorm2d bn1_;
  nn::Conv2d conv2_;
  BatchNorm2d bn2_;
  nn::Conv2d conv3_;
  BatchNorm2d bn3_;
};

template <class BlockType>
class ResNet final : public Model {
 public:
  ResNet(const std::array<std::int64_t, 4>& depths, std::int64_t classes, Stem stem)
      : stem_(stem),
        conv1_(register_module("conv1",
                               stem == Stem::kImagenet ? convolution(3, kStemWidth, 7, 2) : convolution(3, kStemWidth, 3, 1))),
        bn1_(register_module("bn1", BatchNorm2d(kStemWidth))) {
    std::int64_t in = kStemWidth;
    for (std::size_t stage = 0; stage < depths.size(); ++stage) in = add_stage(stage, in, depths[stage]);
    fc_ = register_module("fc", nn::Linear(in, classes));
    initialise();
  }

  at::Tensor forward(at::Tensor input) override {
    auto x = bn1_(conv1_(input)).relu_();
    if (stem_ == Stem::kImagenet) x = torch::max_pool2d(x, 3, 2, 1);
    for (auto& block : blocks_) x = block->forward(x);
    return fc_(torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }

 private:
  static constexpr std::int64_t kStemWidth = 64;

  std::int64_t add_stage(std::size_t stage, std::int64_t in, std::int64_t depth) {
    const std::int64_t width = kStemWidth << stage;
    auto layer = register_module("layer" + std::to_string(stage + 1), std::make_shared<nn::Module>());
    for (std::int64_t i = 0; i < depth; ++i) {
      const std::int64_t stride = i == 0 && stage > 0 ? 2 : 1;
      blocks_.push_back(layer->register_module(std::to_string(i), std::make_shared<BlockType>(in, width, stride)));
      in = width * BlockType::kExpansion;
    }
    return in;
  }

  void initialise() {
    const torch::NoGradGuard no_grad;
    for (const auto& module : modules(/*include_self=*/false)) {
      if (auto* convolution = module->template as<nn::Conv2d>()) {
        nn::init::kaiming_normal_(convolution->weight, 0, torch::kFanOut, torch::kReLU);
      }
    }
  }

  Stem stem_;
  nn::Conv2d conv1_;
  BatchNorm2d bn1_;
  std::vector<std::shared_ptr<BlockType>> blocks_;
  nn::Linear fc_{nullptr};
};

}  // namespace

Stem stem_from(const std::string& name) { return name == "imagenet" ? Stem::kImagenet : Stem::kCifar; }

std::shared_ptr<Model> make_resnet18(std::int64_t classes, Stem stem) {
  return std::make_shared<ResNet<BasicBlock>>(std::array<std::int64_t, 4>{2, 2, 2, 2}, classes, stem);
}

std::shared_ptr<Model> make_resnet50(std::int64_t classes, Stem stem) {
  return std::make_shared<ResNet<Bottleneck>>(std::array<std::int64_t, 4>{3, 4, 6, 3}, classes, stem);
}

std::shared_ptr<Model> make_resnet101(std::int64_t classes, Stem stem) {
  return std::make_shared<ResNet<Bottleneck>>(std::array<std::int64_t, 4>{3, 4, 23, 3}, classes, stem);
}

}  // namespace ddpbench
