#include "harness/precision/precisions.hpp"

#include <array>

#include "harness/precision/autocast.hpp"
#include "harness/precision/grad_scaler.hpp"

namespace ddpbench {
namespace {

// Half precision has too small a range for gradients: the loss is scaled.
class ScaledAutocast final : public Autocast {
 public:
  explicit ScaledAutocast(at::Device device) : Autocast(device.type(), at::kHalf), scaler_({}, device) {}
  at::Tensor scale(at::Tensor loss) override { return scaler_.scale(loss); }
  void unscale(Strategy& strategy) override { scaler_.unscale(strategy); }
  bool step(Strategy& strategy) override { return scaler_.step(strategy); }
  std::vector<at::Tensor> state() override { return scaler_.state(); }

 private:
  GradScaler scaler_;
};

std::unique_ptr<Precision> make_fp32(at::Device /*device*/) { return std::make_unique<Precision>(); }

std::unique_ptr<Precision> make_amp_bf16(at::Device device) { return std::make_unique<Autocast>(device.type(), at::kBFloat16); }

std::unique_ptr<Precision> make_amp_fp16(at::Device device) { return std::make_unique<ScaledAutocast>(device); }

}  // namespace

std::span<const PrecisionEntry> precisions() {
  static const std::array table{
      PrecisionEntry{"fp32", "IEEE single precision everywhere", make_fp32},
      PrecisionEntry{"amp_bf16", "automatic mixed precision, bfloat16", make_amp_bf16},
      PrecisionEntry{"amp_fp16", "automatic mixed precision, half, with a gradient scaler", make_amp_fp16},
  };
  return table;
}

}  // namespace ddpbench
