#include "suite/formats/image_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace ddpbench {
namespace {

constexpr int kWavesPerChannel = 3;
constexpr std::size_t kBackgrounds = 64;
constexpr std::int64_t kMaxShift = 3;                      // pixels either way: the classes' means stay apart
constexpr std::uint64_t kNoiseMask = 0x3f3f3f3f3f3f3f3fU;  // 0 to 63; with two patterns of at most 95 a byte never overflows
static_assert(2 * Pattern::kPeak + 0x3f <= 255);

struct Wave {
  int across, down;  // periods over the image
  double phase;
};

Wave draw_wave(SplitMix64& words) {
  const auto periods = [&] { return static_cast<int>(words.below(2 * Pattern::kMaxWaves + 1)) - Pattern::kMaxWaves; };
  Wave wave{periods(), periods(), 2 * std::numbers::pi * static_cast<double>(words.below(64)) / 64};
  if (wave.across == 0 && wave.down == 0) wave.across = 1;
  return wave;
}

double height(const std::array<Wave, kWavesPerChannel>& waves, double row, double column) {
  double sum = 0;
  for (const auto& wave : waves) {
    const auto turns = wave.across * column + wave.down * row;
    sum += std::cos(2 * std::numbers::pi * turns + wave.phase);
  }
  return sum / kWavesPerChannel;  // -1 to 1
}

std::int64_t shift(std::int64_t edge, SplitMix64& words) {
  return (edge + static_cast<std::int64_t>(words.below(2 * kMaxShift + 1)) - kMaxShift) % edge;
}

}  // namespace

Pattern::Pattern(const ImageShape& shape, SplitMix64& words)
    : shape_(shape), values_(static_cast<std::size_t>(4 * shape.bytes())) {
  const auto rows = static_cast<double>(shape.height), columns = static_cast<double>(shape.width);
  const auto span = 2 * shape.width;
  for (std::int64_t channel = 0; channel < shape.channels; ++channel) {
    std::array<Wave, kWavesPerChannel> waves{};
    std::generate(waves.begin(), waves.end(), [&] { return draw_wave(words); });
    auto* plane = values_.data() + channel * 2 * shape.height * span;
    for (std::int64_t row = 0; row < shape.height; ++row) {
      auto* line = plane + row * span;
      for (std::int64_t column = 0; column < shape.width; ++column) {
        const auto value = height(waves, static_cast<double>(row) / rows, static_cast<double>(column) / columns);
        line[column] = static_cast<std::uint8_t>(std::lround((1 + value) / 2 * kPeak));
      }
      std::copy_n(line, shape.width, line + shape.width);
    }
    std::copy_n(plane, shape.height * span, plane + shape.height * span);
  }
}

ImageSource::ImageSource(const DataSet& set, std::uint64_t seed) : shape_(set.image) {
  SplitMix64 words(seed);
  class_patterns_.reserve(static_cast<std::size_t>(set.classes()));
  for (int i = 0; i < set.classes(); ++i) class_patterns_.emplace_back(shape_, words);
  for (std::size_t i = 0; i < kBackgrounds; ++i) backgrounds_.emplace_back(shape_, words);
}

void ImageSource::append(int label, SplitMix64& words, std::string& bytes) const {
  const auto& pattern = class_patterns_[static_cast<std::size_t>(label)];
  const auto& background = backgrounds_[words.below(kBackgrounds)];
  const auto down = shift(shape_.height, words);
  const auto across = shift(shape_.width, words);
  const auto begin = bytes.size(), image_bytes = static_cast<std::size_t>(shape_.bytes());
  bytes.resize(begin + image_bytes);
  auto* pixels = reinterpret_cast<std::uint8_t*>(bytes.data() + begin);
  for (std::size_t i = 0; i < image_bytes; i += sizeof(std::uint64_t)) {
    const auto noise = words.next() & kNoiseMask;
    std::memcpy(pixels + i, &noise, std::min(sizeof(noise), image_bytes - i));
  }
  for (std::int64_t line = 0; line < shape_.channels * shape_.height; ++line) {
    const auto channel = line / shape_.height;
    const auto row = line % shape_.height;
    const auto* own = pattern.row(channel, row + down, across);
    const auto* other = background.row(channel, row, 0);
    auto* out = pixels + line * shape_.width;
    for (std::int64_t x = 0; x < shape_.width; ++x) out[x] = static_cast<std::uint8_t>(out[x] + own[x] + other[x]);
  }
}

std::vector<int> shuffled_labels(std::int64_t records, int classes, SplitMix64& words) {
  std::vector<int> labels(static_cast<std::size_t>(records));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(i) % classes;
  for (std::size_t i = labels.size(); i > 1; --i) std::swap(labels[i - 1], labels[words.below(i)]);
  return labels;
}

std::uint64_t first_stream(std::uint64_t seed) { return SplitMix64(~seed).next(); }

}  // namespace ddpbench
