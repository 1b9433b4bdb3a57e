#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// Says where a 32x32 picture is cut out of the image with 4 zero pixels around it, and whether it is mirrored. The default is the
// image itself.
struct Crop {
  static constexpr int kPadding = 4;
  static constexpr int kPlaces = 2 * kPadding + 1;  // in each direction
  int down = kPadding;                              // 0 … 8
  int across = kPadding;
  bool flip = false;
};

// Draws a crop from 64 random bits, distributed as torchvision's RandomCrop(32, padding=4) and RandomHorizontalFlip().
Crop crop_from(std::uint64_t random_word);

// Says how pixels lie in memory: planes one after the other (NCHW), or the three values of a pixel together (NHWC).
enum class PixelOrder { kPlanes, kInterleaved };

// Turns an image's bytes into the floats that a network sees: crop, mirror and normalise in one pass. The value of each byte is
// torchvision's Normalize(mean, std)(ToTensor()(…)), bit for bit, from a table.
class ImageTransform {
 public:
  using Table = std::array<std::array<float, 256>, kCifarChannels>;

  // Takes the mean and deviation of a data set's channels. Throws UsageError for a data set that is not known.
  explicit ImageTransform(std::string_view dataset);

  const Table& table() const { return table_; }  // [channel][byte]; byte 0 also stands around the image

  // Writes one image. `pixels` and `out`: kCifarPixelBytes bytes, as many floats.
  void write(const std::uint8_t* pixels, const Crop& crop, PixelOrder order, float* out) const;

 private:
  Table table_;
};

}  // namespace ddpbench
