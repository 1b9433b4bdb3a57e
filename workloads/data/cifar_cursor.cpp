#include "workloads/data/cifar_cursor.hpp"

#include "workloads/data/batch_buffers.hpp"
#include "workloads/data/batch_filler.hpp"
#include "workloads/data/device_cursor.hpp"
#include "workloads/data/epoch_cursor.hpp"
#include "workloads/data/ordered_queue.hpp"

namespace ddpbench {
namespace {

struct Filling {
  BatchShare share;
  Batch batch;
};

// Batches made on the host: by the step itself, or ahead of it by workers.
class HostCursor final : public EpochCursor {
 public:
  HostCursor(CifarSet set, const DataOptions& options, at::Device device)
      : EpochCursor(std::move(set.epochs)),
        images_(std::move(set.images)),
        transform_(set.dataset),
        filler_(images_, transform_, options.channels_last ? PixelOrder::kInterleaved : PixelOrder::kPlanes, options.augment),
        buffers_(in_use(options), image_options(options, device)) {
    if (options.resident == Resident::kHost) images_.keep_in_memory();
    if (options.workers == 0) return;
    const auto workers = static_cast<std::size_t>(options.workers);
    ahead_ = std::make_unique<OrderedQueue<Filling>>(workers, workers * static_cast<std::size_t>(options.prefetch),
                                                     [this](Filling& filling) { fill(filling); });
  }

 private:
  // Those under way, and the ones that a training may hold: its present one, the one before, and one that it asks for.
  static std::size_t in_use(const DataOptions& options) {
    return static_cast<std::size_t>(options.workers * options.prefetch) + 3;
  }

  static at::TensorOptions image_options(const DataOptions& options, at::Device device) {
    const auto format = options.channels_last ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
    return at::TensorOptions().dtype(at::kFloat).memory_format(format).pinned_memory(options.pin_memory && device.is_cuda());
  }

  Batch batch_at(std::int64_t position) override {
    if (ahead_) return from_workers(position);
    auto filling = started(position);
    fill(filling);
    return std::move(filling.batch);
  }

  Filling started(std::int64_t position) {
    auto share = epochs_.at(position);
    auto batch = buffers_.take(share.count);
    return {std::move(share), std::move(batch)};
  }

  void fill(Filling& filling) const {
    filler_.fill(filling.share, filling.batch.input.mutable_data_ptr<float>(),
                 filling.batch.target.mutable_data_ptr<std::int64_t>());
  }

  Batch from_workers(std::int64_t position) {
    keep_busy(position);
    try {
      auto filling = ahead_->pop();
      keep_busy(position + 1);
      return std::move(filling.batch);
    } catch (...) {
      forget();
      throw;
    }
  }

  // Starts the batches from `position` on that are not started yet, as many as fit.
  void keep_busy(std::int64_t position) {
    for (auto i = ahead_->size(); i < ahead_->depth(); ++i) ahead_->push(started(position + static_cast<std::int64_t>(i)));
  }

  void forget() override {
    if (ahead_) ahead_->clear();
  }

  CifarImages images_;
  ImageTransform transform_;
  BatchFiller filler_;
  BatchBuffers buffers_;
  std::unique_ptr<OrderedQueue<Filling>> ahead_;  // null without workers; last: its threads end before what they use
};

}  // namespace

std::unique_ptr<BatchCursor> make_cifar_cursor(const WorkloadRequest& request, const std::string& dataset,
                                               const DataOptions& options) {
  CifarImages images(find_cifar_layout(dataset), request.data, Split::kTrain);
  const SamplerOptions sampler{.size = images.size(),
                               .world_size = request.world_size,
                               .rank = request.rank,
                               .seed = request.seed,
                               .shuffle = options.shuffle};
  CifarSet set{dataset, std::move(images), EpochBatches(sampler, request.batch_size_per_rank, options.keep_last)};
  if (options.resident == Resident::kDevice) return make_device_cursor(std::move(set), options, request.device);
  return std::make_unique<HostCursor>(std::move(set), options, request.device);
}

}  // namespace ddpbench
