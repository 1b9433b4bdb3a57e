#include "workloads/data/image_cursor.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/batch.hpp"
#include "suite/formats/image_files.hpp"
#include "workloads/data/batch_filler.hpp"
#include "workloads/data/data_options.hpp"
#include "workloads/data/epoch_batches.hpp"
#include "workloads/data/epoch_cursor.hpp"
#include "workloads/data/image_transform.hpp"
#include "workloads/data/ordered_queue.hpp"

namespace ddpbench {
namespace {

// What a cursor is made from: a training set and a rank's way through it.
struct TrainingSet {
  const DataSet& described;
  std::string folder;
  ImageFiles images;
  EpochBatches epochs;
};

constexpr std::int64_t kByteValues = 256;

// The sizes of `count` images as a tensor.
std::vector<std::int64_t> sizes_of(std::int64_t count, const ImageShape& shape) {
  return {count, shape.channels, shape.height, shape.width};
}

// All images [N, channels, height, width] uint8 and labels [N] int64, on the host.
struct WholeSet {
  explicit WholeSet(const ImageFiles& images)
      : pixels(at::empty(sizes_of(images.size(), images.shape()), at::kByte)), labels(at::empty({images.size()}, at::kLong)) {
    ImageRecord record;
    const auto image_bytes = images.shape().bytes();
    auto* bytes = pixels.mutable_data_ptr<std::uint8_t>();
    auto* label = labels.mutable_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < images.size(); ++i) {
      const auto image = images.read(i, record);
      std::copy_n(image.pixels, image_bytes, bytes + i * image_bytes);
      label[i] = image.label;
    }
  }
  at::Tensor pixels, labels;
};

Records records_of(const ImageFiles& images, const DataSet& set) {
  const auto by_channel = [&](const std::array<float, 3>& values) {
    auto tensor = at::empty({set.image.channels, 1, 1}, at::kFloat);
    std::copy_n(values.begin(), set.image.channels, tensor.mutable_data_ptr<float>());
    return tensor;
  };
  WholeSet whole(images);
  return {std::move(whole.pixels), std::move(whole.labels), by_channel(set.mean), by_channel(set.deviation)};
}

// Batches of a data set's training images; the images of its test set are held out.
class ImageCursor : public EpochCursor {
 public:
  explicit ImageCursor(const TrainingSet& set) : EpochCursor(set.epochs), described_(set.described), folder_(set.folder) {}
  Records held_out() final {
    if (!held_out_.images.defined()) held_out_ = records_of(ImageFiles(described_, folder_, Split::kTest), described_);
    return held_out_;
  }

 protected:
  const DataSet& described() const { return described_; }

 private:
  const DataSet& described_;
  std::string folder_;
  Records held_out_;  // as far as anyone asked for them
};

at::Tensor table_of(const ImageTransform& transform) {
  const auto& table = transform.table();
  const auto values = static_cast<std::int64_t>(table.size()) * kByteValues;
  return at::from_blob(const_cast<float*>(table.front().data()), {values}, at::kFloat).clone();
}

// A batch's choice, one column per image; sent to the device in one copy.
enum PlanRow : std::int64_t { kImage, kDown, kAcross, kFlip, kPlanRows };

// Batches made on the device by tensor operations, from the whole set of uint8 images there. They hold the same bits as those made on the
// host: the same random words, the same table of values.
class DeviceCursor final : public ImageCursor {
 public:
  DeviceCursor(TrainingSet set, const DataOptions& options, at::Device device)
      : ImageCursor(set), shape_(set.described.image), options_(options), device_(device) {
    const WholeSet whole(set.images);
    images_ = whole.pixels.to(device);
    labels_ = whole.labels.to(device);
    values_ = table_of(ImageTransform(set.described)).to(device);
    rows_ = at::arange(shape_.height, at::kLong).to(device);
    columns_ = at::arange(shape_.width, at::kLong).to(device);
    channels_ = at::arange(shape_.channels, at::kLong).view({1, shape_.channels, 1, 1}).to(device);
    channel_begins_ = (channels_ * kByteValues).to(at::kInt);
  }

 private:
  Batch batch_at(std::int64_t position) override {
    const auto plan = plan_of(epochs_.at(position)).to(device_, /*non_blocking=*/true);
    auto pixels = images_.index_select(0, plan[kImage]);
    if (options_.augment) pixels = augmented(pixels, plan);
    auto input = normalised(pixels);
    if (options_.channels_last) input = input.contiguous(at::MemoryFormat::ChannelsLast);
    return {std::move(input), labels_.index_select(0, plan[kImage])};
  }

  // [kPlanRows, N] int64 on the host.
  at::Tensor plan_of(const BatchShare& share) const {
    auto plan = at::empty({kPlanRows, share.count}, at::TensorOptions().dtype(at::kLong).pinned_memory(device_.is_cuda()));
    auto* rows = plan.mutable_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < share.count; ++i) {
      const auto crop = crop_from(share.random_word(i));
      rows[kImage * share.count + i] = share.image(i);
      rows[kDown * share.count + i] = crop.down;
      rows[kAcross * share.count + i] = crop.across;
      rows[kFlip * share.count + i] = crop.flip ? 1 : 0;
    }
    return plan;
  }

  // uint8 images cut out of the images with zeros around them, and mirrored.
  at::Tensor augmented(const at::Tensor& pixels, const at::Tensor& plan) const {
    constexpr auto kAround = Crop::kPadding;
    const auto padded = at::constant_pad_nd(pixels, {kAround, kAround, kAround, kAround}, 0);
    const auto mirrored = plan[kFlip].unsqueeze(1) * (shape_.width - 1 - 2 * columns_);  // what takes x to width - 1 - x
    const auto rows = plan[kDown].unsqueeze(1) + rows_;
    const auto columns = plan[kAcross].unsqueeze(1) + columns_ + mirrored;
    const auto batch = at::arange(pixels.size(0), rows_.options()).view({-1, 1, 1, 1});
    return at::index(padded, {batch, channels_, rows.unsqueeze(1).unsqueeze(3), columns.unsqueeze(1).unsqueeze(1)});
  }

  at::Tensor normalised(const at::Tensor& pixels) const {
    const auto codes = pixels.to(at::kInt).add_(channel_begins_);
    return values_.index_select(0, codes.view(-1)).view(pixels.sizes());
  }

  ImageShape shape_;
  DataOptions options_;
  at::Device device_;
  at::Tensor images_, labels_;            // the whole set
  at::Tensor values_;                     // float: of channel c and byte b at 256 c + b
  at::Tensor rows_, columns_;             // int64: 0 … height - 1, 0 … width - 1
  at::Tensor channels_, channel_begins_;  // [1, channels, 1, 1]: 0, 1, 2 and int32 0, 256, 512
};

// Memory for a cursor's batches, used again in turn once nobody else holds it: fresh memory costs a page fault for every 4 KiB, which is
// more than filling it. A batch that is still held keeps its memory, and another takes its place here. Page-locked memory is not
// used again here: a copy to the device may still be reading it, and PyTorch's host allocator, which knows, does the same for it.
class BatchBuffers {
 public:
  // `count`: as many as are in use at a time; `images`: type, layout and page-locking of the images.
  BatchBuffers(std::size_t count, const ImageShape& shape, const at::TensorOptions& images)
      : shape_(shape), images_(images), kept_(count) {}

  // For `count` images, unset.
  Batch take(std::int64_t count) {
    if (images_.pinned_memory()) return fresh(count);
    auto& kept = kept_[next_];
    next_ = (next_ + 1) % kept_.size();
    if (!is_free(kept, count)) kept = fresh(count);
    return kept;
  }

 private:
  Batch fresh(std::int64_t count) const {
    const auto labels = at::TensorOptions().dtype(at::kLong).pinned_memory(images_.pinned_memory());
    return {at::empty(sizes_of(count, shape_), images_), at::empty({count}, labels)};
  }

  // Views of a tensor hold its storage, copies of its handle the tensor.
  static bool is_alone(const at::Tensor& tensor) { return tensor.use_count() == 1 && tensor.storage().use_count() == 1; }

  static bool is_free(const Batch& batch, std::int64_t count) {
    const bool fits = batch.input.defined() && batch.input.size(0) == count;
    if (!fits || !is_alone(batch.input) || !is_alone(batch.target)) return false;
    std::atomic_thread_fence(std::memory_order_acquire);  // its last reader may have been another thread
    return true;
  }

  ImageShape shape_;
  at::TensorOptions images_;
  std::vector<Batch> kept_;
  std::size_t next_ = 0;
};

struct Filling {
  BatchShare share;
  Batch batch;
};

// Batches made on the host: by the step itself, or ahead of it by workers.
class HostCursor final : public ImageCursor {
 public:
  HostCursor(TrainingSet set, const DataOptions& options, at::Device device)
      : ImageCursor(set),
        images_(std::move(set.images)),
        transform_(set.described),
        filler_(images_, transform_, options.channels_last ? PixelOrder::kInterleaved : PixelOrder::kPlanes, options.augment),
        buffers_(in_use(options), set.described.image, image_options(options, device)) {
    if (options.resident == Resident::kHost) images_.keep_in_memory();
    if (options.workers == 0) return;
    const auto workers = static_cast<std::size_t>(options.workers);
    ahead_ = std::make_unique<OrderedQueue<Filling>>(workers, workers * static_cast<std::size_t>(options.prefetch),
                                                     [this](Filling& filling) { fill(filling); });
  }
  Records records() override {
    if (!records_.images.defined()) records_ = records_of(images_, described());
    return records_;
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

  Records records_;  // as far as anyone asked for them
  ImageFiles images_;
  ImageTransform transform_;
  BatchFiller filler_;
  BatchBuffers buffers_;
  std::unique_ptr<OrderedQueue<Filling>> ahead_;  // null without workers; last: its threads end before what they use
};

}  // namespace

std::unique_ptr<BatchCursor> make_image_cursor(const WorkloadRequest& request, const DataSet& set, const DataOptions& options) {
  ImageFiles images(set, request.data, Split::kTrain);
  const SamplerOptions sampler{.size = images.size(),
                               .world_size = request.world_size,
                               .rank = request.rank,
                               .seed = request.seed,
                               .shuffle = options.shuffle};
  TrainingSet training{set, request.data, std::move(images),
                       EpochBatches(sampler, request.batch_size_per_rank, options.keep_last)};
  if (options.resident == Resident::kDevice) {
    return std::make_unique<DeviceCursor>(std::move(training), options, request.device);
  }
  return std::make_unique<HostCursor>(std::move(training), options, request.device);
}

}  // namespace ddpbench
