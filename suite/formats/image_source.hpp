#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "suite/base/random.hpp"
#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// Holds a smooth picture that can be shifted without a seam: every row is stored twice in a row, and all rows twice below each
// other.
class Pattern {
 public:
  // Draws three waves per channel of at most kMaxWaves periods over the image; values 0 to kPeak.
  explicit Pattern(SplitMix64& words);
  static constexpr int kMaxWaves = 2;
  static constexpr int kPeak = 95;

  // Returns the start of a row of kCifarEdge values; row and column shift are below kCifarEdge.
  const std::uint8_t* row(std::int64_t channel, std::int64_t row, std::int64_t column_shift) const {
    return values_.data() + (channel * kSpan + row) * kSpan + column_shift;
  }

 private:
  static constexpr std::int64_t kSpan = 2 * kCifarEdge;
  std::array<std::uint8_t, kCifarChannels * kSpan * kSpan> values_;
};

// Draws images of given classes. The classes' patterns depend on the seed alone, so that all files of a data set agree on them.
class ImageSource {
 public:
  ImageSource(int classes, std::uint64_t seed);

  // Fills kCifarPixelBytes bytes.
  void draw(int label, SplitMix64& words, std::uint8_t* pixels) const;

 private:
  std::vector<Pattern> class_patterns_;
  std::vector<Pattern> backgrounds_;
};

}  // namespace ddpbench
