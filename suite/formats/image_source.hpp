#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/base/random.hpp"
#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Holds a smooth picture that can be shifted without a seam: every row is stored twice in a row, and all rows twice below each
// other.
class Pattern {
 public:
  // Draws three waves per channel of at most kMaxWaves periods over the image; values 0 to kPeak.
  Pattern(const ImageShape& shape, SplitMix64& words);
  static constexpr int kMaxWaves = 2;
  static constexpr int kPeak = 95;

  // Returns the start of a row of the image's width; row and column shift are below height and width.
  const std::uint8_t* row(std::int64_t channel, std::int64_t row, std::int64_t column_shift) const {
    return values_.data() + (channel * 2 * shape_.height + row) * 2 * shape_.width + column_shift;
  }

 private:
  ImageShape shape_;
  std::vector<std::uint8_t> values_;
};

// Draws images of given classes. The classes' patterns depend on the seed alone, so that all files of a data set agree on them.
class ImageSource {
 public:
  ImageSource(const DataSet& set, std::uint64_t seed);

  // Appends an image's bytes.
  void append(int label, SplitMix64& words, std::string& bytes) const;

 private:
  ImageShape shape_;
  std::vector<Pattern> class_patterns_;
  std::vector<Pattern> backgrounds_;
};

// Returns labels in random order, every class equally often.
std::vector<int> shuffled_labels(std::int64_t records, int classes, SplitMix64& words);

// Returns the seed of a data set's first file, apart from that of the patterns; each further file takes the next.
std::uint64_t first_stream(std::uint64_t seed);

}  // namespace ddpbench
