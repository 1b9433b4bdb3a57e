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

// Matrix products and cuDNN have a switch each, and PyTorch's defaults differ (off, on): both are set in every precision.
void allow_tf32(bool allowed) {
  at::globalContext().setAllowTF32CuBLAS(allowed);
  at::globalContext().setAllowTF32CuDNN(allowed);
}

std::unique_ptr<Precision> make_fp32(const PrecisionRequest& /*request*/) {
  allow_tf32(false);
  return std::make_unique<Precision>();
}

std::unique_ptr<Precision> make_tf32(const PrecisionRequest& /*request*/) {
  allow_tf32(true);
  return std::make_unique<Precision>();
}

std::unique_ptr<Precision> make_amp_bf16(const PrecisionRequest& request) {
  allow_tf32(false);
  return std::make_unique<Autocast>(request.device.type(), at::kBFloat16);
}

std::unique_ptr<Precision> make_amp_fp16(const PrecisionRequest& request) {
  allow_tf32(false);
  return std::make_unique<ScaledAutocast>(request.device);
}

}  // namespace

std::span<const PrecisionFactory> precisions() {
  static const std::array table{
      PrecisionFactory{{.name = "fp32", .help = "IEEE single precision everywhere"}, make_fp32},
      PrecisionFactory{{.name = "tf32",
                        .help = "single precision, matrix products and convolutions with TF32's 10-bit mantissa",
                        .least_sm = 80,
                        .only = {{"device", {"cuda"}}}},
                       make_tf32},
      PrecisionFactory{{.name = "amp_bf16", .help = "automatic mixed precision, bfloat16", .least_sm = 80}, make_amp_bf16},
      PrecisionFactory{{.name = "amp_fp16", .help = "automatic mixed precision, half, with a gradient scaler"}, make_amp_fp16},
  };
  return table;
}

}  // namespace ddpbench
