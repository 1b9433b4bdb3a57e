#pragma once
#include <cstddef>

#include "harness/api/torch.hpp"

namespace ddpbench {

// Told before and after each block of a model. C++ modules have no forward hooks, so a strategy that shards parameters (zero3) attaches
// here.
class UnitObserver {
 public:
  virtual ~UnitObserver() = default;
  virtual void before_forward(std::size_t unit) = 0;
  virtual at::Tensor after_forward(std::size_t unit, at::Tensor output) = 0;
};

// A network from images [N, 3, 32, 32] to logits [N, classes]. Runs its blocks through `around`; without an observer that is one null
// check per block.
class Model : public torch::nn::Module {
 public:
  virtual at::Tensor forward(at::Tensor input) = 0;
  void observe(UnitObserver* observer) { observer_ = observer; }

 protected:
  template <class Body>
  at::Tensor around(std::size_t unit, Body&& body) {
    if (observer_ == nullptr) return body();
    observer_->before_forward(unit);
    return observer_->after_forward(unit, body());
  }

 private:
  UnitObserver* observer_ = nullptr;
};

}  // namespace ddpbench
