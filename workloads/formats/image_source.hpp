#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "workloads/formats/cifar_layout.hpp"

namespace ddpbench {

// splitmix64 (Steele, Lea, Flood 2014): spelled out, because the distributions of <random> differ between standard libraries.
class RandomWords {
 public:
  static constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15U;  // from one state to the next

  explicit RandomWords(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += kStride;
    auto word = state_;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31U);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

// A smooth picture that can be shifted without a seam: every row is stored twice in a row, and all rows twice below each other.
class Pattern {
 public:
  // Three waves per channel of at most kMaxWaves periods over the image; values 0 to kPeak.
  explicit Pattern(RandomWords& words);
  static constexpr int kMaxWaves = 2;
  static constexpr int kPeak = 95;

  // The start of a row of kCifarEdge values; row and column shift are below kCifarEdge.
  const std::uint8_t* row(std::int64_t channel, std::int64_t row, std::int64_t column_shift) const {
    return values_.data() + (channel * kSpan + row) * kSpan + column_shift;
  }

 private:
  static constexpr std::int64_t kSpan = 2 * kCifarEdge;
  std::array<std::uint8_t, kCifarChannels * kSpan * kSpan> values_;
};

// Draws images of given classes. The classes' patterns hang on the seed alone, so that all files of a data set agree on them.
class ImageSource {
 public:
  ImageSource(int classes, std::uint64_t seed);

  // Fills kCifarPixelBytes bytes.
  void draw(int label, RandomWords& words, std::uint8_t* pixels) const;

 private:
  std::vector<Pattern> class_patterns_;
  std::vector<Pattern> backgrounds_;
};

}  // namespace ddpbench
