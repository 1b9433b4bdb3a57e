#include "workloads/data/device_cursor.hpp"

#include <algorithm>

#include "workloads/data/epoch_cursor.hpp"
#include "workloads/data/image_transform.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kByteValues = 256;

// All images [N, 3, 32, 32] uint8 and labels [N] int64, on the host.
struct WholeSet {
  explicit WholeSet(const CifarImages& images)
      : pixels(at::empty({images.size(), kCifarChannels, kCifarEdge, kCifarEdge}, at::kByte)),
        labels(at::empty({images.size()}, at::kLong)) {
    CifarRecord record;
    auto* bytes = pixels.mutable_data_ptr<std::uint8_t>();
    auto* label = labels.mutable_data_ptr<std::int64_t>();
    for (std::int64_t i = 0; i < images.size(); ++i) {
      const auto image = images.read(i, record);
      std::copy_n(image.pixels, kCifarPixelBytes, bytes + i * kCifarPixelBytes);
      label[i] = image.label;
    }
  }
  at::Tensor pixels, labels;
};

at::Tensor table_of(const ImageTransform& transform) {
  return at::from_blob(const_cast<float*>(transform.table().front().data()), {kCifarChannels * kByteValues}, at::kFloat).clone();
}

// A batch's choice, one column per image; sent to the device in one copy.
enum PlanRow : std::int64_t { kImage, kDown, kAcross, kFlip, kPlanRows };

class DeviceCursor final : public EpochCursor {
 public:
  DeviceCursor(CifarSet set, const DataOptions& options, at::Device device)
      : EpochCursor(std::move(set.epochs)), options_(options), device_(device) {
    const WholeSet whole(set.images);
    images_ = whole.pixels.to(device);
    labels_ = whole.labels.to(device);
    values_ = table_of(ImageTransform(set.dataset)).to(device);
    places_ = at::arange(kCifarEdge, at::kLong).to(device);
    channels_ = at::arange(kCifarChannels, at::kLong).view({1, kCifarChannels, 1, 1}).to(device);
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

  // uint8 [N, 3, 32, 32] cut out of the images with zeros around them, and mirrored.
  at::Tensor augmented(const at::Tensor& pixels, const at::Tensor& plan) const {
    constexpr auto kAround = Crop::kPadding;
    const auto padded = at::constant_pad_nd(pixels, {kAround, kAround, kAround, kAround}, 0);
    const auto mirrored = plan[kFlip].unsqueeze(1) * (kCifarEdge - 1 - 2 * places_);  // what takes place x to 31 - x
    const auto rows = plan[kDown].unsqueeze(1) + places_;
    const auto columns = plan[kAcross].unsqueeze(1) + places_ + mirrored;
    const auto batch = at::arange(pixels.size(0), places_.options()).view({-1, 1, 1, 1});
    return at::index(padded, {batch, channels_, rows.unsqueeze(1).unsqueeze(3), columns.unsqueeze(1).unsqueeze(1)});
  }

  at::Tensor normalised(const at::Tensor& pixels) const {
    const auto codes = pixels.to(at::kInt).add_(channel_begins_);
    return values_.index_select(0, codes.view(-1)).view(pixels.sizes());
  }

  DataOptions options_;
  at::Device device_;
  at::Tensor images_, labels_;            // the whole set
  at::Tensor values_;                     // [768] float: of channel c and byte b at 256 c + b
  at::Tensor places_;                     // [32] int64: 0 … 31
  at::Tensor channels_, channel_begins_;  // [1, 3, 1, 1]: 0, 1, 2 and int32 0, 256, 512
};

}  // namespace

std::unique_ptr<BatchCursor> make_device_cursor(CifarSet set, const DataOptions& options, at::Device device) {
  return std::make_unique<DeviceCursor>(std::move(set), options, device);
}

}  // namespace ddpbench
