#pragma once
#include <memory>
#include <vector>

#include "harness/api/strategy.hpp"

namespace ddpbench {

// Trains one replica on one device: the strategy `single`, and what the replicated strategies are on each rank.
class Single : public Strategy {
 public:
  void set_up(Recipe& recipe) override;
  void zero_grad() override { model_->zero_grad(); }
  at::Tensor forward(const at::Tensor& input) override { return model_->forward(input); }
  void backward(const at::Tensor& loss) override { loss.backward(); }
  void optimizer_step() override { optimizer_->step(); }
  std::vector<at::Tensor> gradients() override;
  std::vector<at::Tensor> state() override;
  std::vector<at::Tensor> replicated_state() override;

 protected:
  Model& model() { return *model_; }
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  const std::vector<at::Tensor>& buffers() const { return buffers_; }

 private:
  std::shared_ptr<Model> model_;
  std::vector<at::Tensor> parameters_, buffers_;
  std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace ddpbench
