#include "workloads/data/constant_cursor.hpp"

#include <numeric>
#include <utility>

namespace ddpbench {
namespace {

class ConstantCursor final : public BatchCursor {
 public:
  // Takes the number of the set's images: epochs have the length that they would have.
  ConstantCursor(Batch batch, std::int64_t images) : batch_(std::move(batch)), images_(images) {}
  Batch next() override {
    ++position_;
    return batch_;
  }
  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override { return images_ / batch_.input.size(0); }
  Records records() override { return {batch_.input, batch_.target, {}, {}}; }
  std::vector<std::int64_t> records_at(std::int64_t /*position*/) override {
    std::vector<std::int64_t> all(static_cast<std::size_t>(batch_.input.size(0)));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

 private:
  Batch batch_;
  std::int64_t images_;
  std::int64_t position_ = 0;
};

}  // namespace

std::unique_ptr<BatchCursor> make_constant_cursor(std::int64_t batch_size, const DataSet& set, std::int64_t seed,
                                                  at::MemoryFormat format, at::Device device) {
  auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(seed));
  const auto& shape = set.image;
  Batch batch{torch::randn({batch_size, shape.channels, shape.height, shape.width}, generator).contiguous(format),
              torch::arange(batch_size).remainder(set.classes())};
  if (!device.is_cpu()) batch = {batch.input.pin_memory(), batch.target.pin_memory()};
  return std::make_unique<ConstantCursor>(std::move(batch), set.records(Split::kTrain));
}

}  // namespace ddpbench
