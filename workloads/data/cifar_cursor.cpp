#include "workloads/data/cifar_cursor.hpp"

#include <array>
#include <cstring>

#include "suite/vocab/errors.hpp"
#include "workloads/formats/cifar_files.hpp"

namespace ddpbench {
namespace {

// Channel means and standard deviations of the real training sets, in units of a pixel's 0 … 1; the generated sets are near them.
struct Normalisation {
  std::array<float, 3> mean;
  std::array<float, 3> deviation;
};
constexpr Normalisation kCifar10{{0.4914F, 0.4822F, 0.4465F}, {0.2470F, 0.2435F, 0.2616F}};
constexpr Normalisation kCifar100{{0.5071F, 0.4865F, 0.4409F}, {0.2673F, 0.2564F, 0.2762F}};

at::Tensor per_channel(const std::array<float, 3>& values) {
  return torch::tensor(at::ArrayRef<float>(values)).reshape({1, kCifarChannels, 1, 1});
}

class CifarCursor final : public BatchCursor {
 public:
  CifarCursor(const WorkloadRequest& request, const CifarLayout& layout, const Normalisation& normalisation)
      : images_(layout, request.data, Split::kTrain),
        request_(request),
        batches_per_epoch_(images_.size() / (request.batch_size_per_rank * request.world_size)),
        scale_(1.0F / (255.0F * per_channel(normalisation.deviation))),
        offset_(-per_channel(normalisation.mean) / per_channel(normalisation.deviation)) {
    if (batches_per_epoch_ == 0) {
      throw UsageError("batch_size_per_rank " + std::to_string(request.batch_size_per_rank) + " on " +
                       std::to_string(request.world_size) + " ranks is more than the " + std::to_string(images_.size()) +
                       " images of " + std::string(layout.title));
    }
  }

  Batch next() override {
    const auto epoch = position_ / batches_per_epoch_;
    if (epoch != shuffled_epoch_) shuffle(epoch);
    const auto begin = (position_ % batches_per_epoch_) * request_.batch_size_per_rank;
    ++position_;
    return read(begin);
  }

  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override { return batches_per_epoch_; }

 private:
  void shuffle(std::int64_t epoch) {
    auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(request_.seed + epoch));
    const auto order = at::randperm(images_.size(), generator, at::kLong);
    mine_ = order.slice(0, request_.rank, at::nullopt, request_.world_size).contiguous();
    shuffled_epoch_ = epoch;
  }

  Batch read(std::int64_t begin) const {
    const auto count = request_.batch_size_per_rank;
    auto pixels = at::empty({count, kCifarChannels, kCifarEdge, kCifarEdge}, at::kByte);
    auto target = at::empty({count}, at::kLong);
    const auto* indices = mine_.const_data_ptr<std::int64_t>() + begin;
    auto* out = pixels.mutable_data_ptr<std::uint8_t>();
    auto* labels = target.mutable_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(out + i * kCifarPixelBytes, images_.pixels(indices[i]), static_cast<std::size_t>(kCifarPixelBytes));
      labels[i] = images_.label(indices[i]);
    }
    return {pixels.to(at::kFloat).mul_(scale_).add_(offset_), target};
  }

  CifarImages images_;
  WorkloadRequest request_;
  std::int64_t batches_per_epoch_;
  at::Tensor scale_, offset_;  // [1, 3, 1, 1]: pixel * scale + offset is the normalised value
  at::Tensor mine_;            // this rank's images of the epoch, in order
  std::int64_t position_ = 0;
  std::int64_t shuffled_epoch_ = -1;
};

}  // namespace

std::unique_ptr<BatchCursor> make_cifar_cursor(const WorkloadRequest& request, const std::string& dataset) {
  const auto& layout = find_cifar_layout(dataset);
  return std::make_unique<CifarCursor>(request, layout, dataset == "cifar100" ? kCifar100 : kCifar10);
}

}  // namespace ddpbench
