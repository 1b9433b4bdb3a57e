#pragma once
#include "harness/api/precision.hpp"

namespace ddpbench {

// Applies torch.autocast to forward and loss of each micro-batch: matrix products and convolutions in `type`, what needs the
// range in fp32.
class Autocast : public Precision {
 public:
  Autocast(at::DeviceType device, at::ScalarType type) : device_(device), type_(type) {}
  void begin_forward() override;
  void end_forward() override;

 private:
  at::DeviceType device_;
  at::ScalarType type_;
};

}  // namespace ddpbench
