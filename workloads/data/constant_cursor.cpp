#include "workloads/data/constant_cursor.hpp"

#include <utility>

namespace ddpbench {
namespace {

constexpr std::int64_t kTrainImages = 50'000;  // CIFAR's, so that epochs have the length they would have

class ConstantCursor final : public BatchCursor {
 public:
  explicit ConstantCursor(Batch batch) : batch_(std::move(batch)) {}
  Batch next() override {
    ++position_;
    return batch_;
  }
  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override { return kTrainImages / batch_.input.size(0); }

 private:
  Batch batch_;
  std::int64_t position_ = 0;
};

}  // namespace

std::unique_ptr<BatchCursor> make_constant_cursor(std::int64_t batch_size, std::int64_t classes, std::int64_t seed,
                                                  at::MemoryFormat format, at::Device device) {
  auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(seed));
  Batch batch{torch::randn({batch_size, 3, 32, 32}, generator).contiguous(format), torch::arange(batch_size).remainder(classes)};
  if (!device.is_cpu()) batch = {batch.input.pin_memory(), batch.target.pin_memory()};
  return std::make_unique<ConstantCursor>(std::move(batch));
}

}  // namespace ddpbench
