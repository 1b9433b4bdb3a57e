#include "workloads/data/image_transform.hpp"

#include <cstring>

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// Channel means and standard deviations of the real training sets, in units of a pixel's 0 … 1; the generated sets are near them.
struct Normalisation {
  std::string_view name;
  std::array<float, 3> mean;
  std::array<float, 3> deviation;
};
constexpr std::array kNormalisations{
    Normalisation{"cifar10", {0.4914F, 0.4822F, 0.4465F}, {0.2470F, 0.2435F, 0.2616F}},
    Normalisation{"cifar100", {0.5071F, 0.4865F, 0.4409F}, {0.2673F, 0.2564F, 0.2762F}},
};

constexpr std::size_t kEdge = kCifarEdge;
// An image's row with zeros on either side.
using Line = std::array<std::uint8_t, kEdge + 2 * Crop::kPadding>;

template <bool kFlip, std::size_t kStride>
void write_line(const std::uint8_t* line, const float* values, float* out) {
  for (std::size_t x = 0; x < kEdge; ++x) out[x * kStride] = values[line[kFlip ? kEdge - 1 - x : x]];
}

// A channel: `kStride` is the distance of neighbours in `out`.
template <bool kFlip, std::size_t kStride>
void write_plane(const std::uint8_t* plane, const Crop& crop, const float* values, float* out) {
  const Line black{};
  Line line{};
  for (int row = 0; row < static_cast<int>(kEdge); ++row) {
    const int source = row + crop.down - Crop::kPadding;
    const bool inside = source >= 0 && source < static_cast<int>(kEdge);
    if (inside) std::memcpy(line.data() + Crop::kPadding, plane + static_cast<std::size_t>(source) * kEdge, kEdge);
    write_line<kFlip, kStride>((inside ? line : black).data() + crop.across, values, out);
    out += kEdge * kStride;
  }
}

using WritePlane = void (*)(const std::uint8_t* plane, const Crop& crop, const float* values, float* out);

WritePlane plane_writer(bool flip, PixelOrder order) {
  constexpr std::size_t kApart = kCifarChannels;
  if (order == PixelOrder::kPlanes) return flip ? write_plane<true, 1> : write_plane<false, 1>;
  return flip ? write_plane<true, kApart> : write_plane<false, kApart>;
}

// 0 … places - 1 from 24 bits; no place is likelier than another by more than 2^-20.
int place(std::uint64_t bits, int places) {
  return static_cast<int>(((bits & 0xffffffU) * static_cast<std::uint64_t>(places)) >> 24U);
}

}  // namespace

Crop crop_from(std::uint64_t random_word) {
  return {place(random_word >> 40U, Crop::kPlaces), place(random_word >> 16U, Crop::kPlaces), (random_word & 1U) != 0};
}

ImageTransform::ImageTransform(std::string_view dataset) {
  const auto& normalisation = find_entry(kNormalisations, "data set", dataset);
  for (std::size_t channel = 0; channel < table_.size(); ++channel) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      table_[channel][byte] =
          (static_cast<float>(byte) / 255.0F - normalisation.mean[channel]) / normalisation.deviation[channel];
    }
  }
}

void ImageTransform::write(const std::uint8_t* pixels, const Crop& crop, PixelOrder order, float* out) const {
  constexpr std::size_t kPlane = kEdge * kEdge;
  const auto write_channel = plane_writer(crop.flip, order);
  for (std::size_t channel = 0; channel < table_.size(); ++channel) {
    const auto begin = order == PixelOrder::kPlanes ? channel * kPlane : channel;
    write_channel(pixels + channel * kPlane, crop, table_[channel].data(), out + begin);
  }
}

}  // namespace ddpbench
