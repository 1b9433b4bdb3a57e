#include "workloads/data/image_transform.hpp"

#include <cstring>

namespace ddpbench {
namespace {

// An image's row with zeros on either side.
using Line = std::array<std::uint8_t, static_cast<std::size_t>(kMostImageWidth) + 2 * Crop::kPadding>;

// One channel of an image, and of what it becomes: neighbours in `out` are `stride` apart.
struct Plane {
  const std::uint8_t* pixels;
  std::size_t height, width, stride;
  float* out;
};

// `kWidth` is the plane's width, or 0 where it is known only when it runs: copying a row of known width takes no call.
template <bool kFlip, std::size_t kWidth>
void write_plane(const Plane& plane, const Crop& crop, const float* values) {
  const auto width = kWidth == 0 ? plane.width : kWidth;
  const Line black{};
  Line line{};
  auto* out = plane.out;
  for (int row = 0; row < static_cast<int>(plane.height); ++row) {
    const int source = row + crop.down - Crop::kPadding;
    const bool inside = source >= 0 && source < static_cast<int>(plane.height);
    if (inside) std::memcpy(line.data() + Crop::kPadding, plane.pixels + static_cast<std::size_t>(source) * width, width);
    const auto* bytes = (inside ? line : black).data() + crop.across;
    for (std::size_t x = 0; x < width; ++x) out[x * plane.stride] = values[bytes[kFlip ? width - 1 - x : x]];
    out += width * plane.stride;
  }
}

using WritePlane = void (*)(const Plane& plane, const Crop& crop, const float* values);

WritePlane plane_writer(bool flip, std::size_t width) {
  constexpr auto kUsual = static_cast<std::size_t>(kMostImageWidth);
  if (width == kUsual) return flip ? write_plane<true, kUsual> : write_plane<false, kUsual>;
  return flip ? write_plane<true, 0> : write_plane<false, 0>;
}

// 0 … places - 1 from 24 bits; no place is likelier than another by more than 2^-20.
int place(std::uint64_t bits, int places) {
  return static_cast<int>(((bits & 0xffffffU) * static_cast<std::uint64_t>(places)) >> 24U);
}

}  // namespace

Crop crop_from(std::uint64_t random_word) {
  return {place(random_word >> 40U, Crop::kPlaces), place(random_word >> 16U, Crop::kPlaces), (random_word & 1U) != 0};
}

ImageTransform::ImageTransform(const DataSet& set) : shape_(set.image), table_(static_cast<std::size_t>(set.image.channels)) {
  for (std::size_t channel = 0; channel < table_.size(); ++channel) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      table_[channel][byte] = (static_cast<float>(byte) / 255.0F - set.mean[channel]) / set.deviation[channel];
    }
  }
}

void ImageTransform::write(const std::uint8_t* pixels, const Crop& crop, PixelOrder order, float* out) const {
  const auto height = static_cast<std::size_t>(shape_.height), width = static_cast<std::size_t>(shape_.width);
  const bool planes = order == PixelOrder::kPlanes;
  const auto write_channel = plane_writer(crop.flip, width);
  for (std::size_t channel = 0; channel < table_.size(); ++channel) {
    const Plane plane{pixels + channel * height * width, height, width, planes ? 1 : table_.size(),
                      out + (planes ? channel * height * width : channel)};
    write_channel(plane, crop, table_[channel].data());
  }
}

}  // namespace ddpbench
