#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Says where a picture of the image's size is cut out of the image with 4 zero pixels around it, and whether it is mirrored. The
// default is the image itself.
struct Crop {
  static constexpr int kPadding = 4;
  static constexpr int kPlaces = 2 * kPadding + 1;  // in each direction
  int down = kPadding;                              // 0 … 8
  int across = kPadding;
  bool flip = false;
};

// Draws a crop from 64 random bits, distributed as torchvision's RandomCrop(size, padding=4) and RandomHorizontalFlip().
Crop crop_from(std::uint64_t random_word);

// Says how pixels lie in memory: planes one after the other (NCHW), or the values of a pixel together (NHWC).
enum class PixelOrder { kPlanes, kInterleaved };

// Turns an image's bytes into the floats that a network sees: crop, mirror and normalise in one pass. The value of each byte is
// torchvision's Normalize(mean, std)(ToTensor()(…)), bit for bit, from a table.
class ImageTransform {
 public:
  using Table = std::vector<std::array<float, 256>>;

  // Takes the mean and deviation of the data set's channels.
  explicit ImageTransform(const DataSet& set);

  const Table& table() const { return table_; }  // [channel][byte]; byte 0 also stands around the image

  // Writes one image. `pixels` and `out`: as many bytes and floats as the data set's image has values.
  void write(const std::uint8_t* pixels, const Crop& crop, PixelOrder order, float* out) const;

 private:
  ImageShape shape_;
  Table table_;
};

}  // namespace ddpbench
