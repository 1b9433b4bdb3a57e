#include "suite/formats/image_source.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace ddpbench {
namespace {

constexpr int kWavesPerChannel = 3;
constexpr auto kEdge = static_cast<std::uint64_t>(kCifarEdge);
constexpr std::size_t kBackgrounds = 64;
constexpr std::uint64_t kMaxShift = 3;                     // pixels either way: the classes' means stay apart
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

double height(const std::array<Wave, kWavesPerChannel>& waves, std::int64_t row, std::int64_t column) {
  double sum = 0;
  for (const auto& wave : waves) {
    const auto turns = static_cast<double>(wave.across * column + wave.down * row) / static_cast<double>(kCifarEdge);
    sum += std::cos(2 * std::numbers::pi * turns + wave.phase);
  }
  return sum / kWavesPerChannel;  // -1 to 1
}

std::uint64_t shift(SplitMix64& words) { return (kEdge + words.below(2 * kMaxShift + 1) - kMaxShift) % kEdge; }

}  // namespace

Pattern::Pattern(SplitMix64& words) {
  for (std::int64_t channel = 0; channel < kCifarChannels; ++channel) {
    std::array<Wave, kWavesPerChannel> waves{};
    std::generate(waves.begin(), waves.end(), [&] { return draw_wave(words); });
    auto* plane = values_.data() + channel * kSpan * kSpan;
    for (std::int64_t row = 0; row < kCifarEdge; ++row) {
      auto* line = plane + row * kSpan;
      for (std::int64_t column = 0; column < kCifarEdge; ++column) {
        line[column] = static_cast<std::uint8_t>(std::lround((1 + height(waves, row, column)) / 2 * kPeak));
      }
      std::copy_n(line, kCifarEdge, line + kCifarEdge);
    }
    std::copy_n(plane, kCifarEdge * kSpan, plane + kCifarEdge * kSpan);
  }
}

ImageSource::ImageSource(int classes, std::uint64_t seed) {
  SplitMix64 words(seed);
  class_patterns_.reserve(static_cast<std::size_t>(classes));
  for (int i = 0; i < classes; ++i) class_patterns_.emplace_back(words);
  for (std::size_t i = 0; i < kBackgrounds; ++i) backgrounds_.emplace_back(words);
}

void ImageSource::draw(int label, SplitMix64& words, std::uint8_t* pixels) const {
  const auto& pattern = class_patterns_[static_cast<std::size_t>(label)];
  const auto& background = backgrounds_[words.below(kBackgrounds)];
  const auto down = static_cast<std::int64_t>(shift(words));
  const auto across = static_cast<std::int64_t>(shift(words));
  for (std::int64_t i = 0; i < kCifarPixelBytes; i += 8) {
    const auto noise = words.next() & kNoiseMask;
    std::memcpy(pixels + i, &noise, 8);
  }
  for (std::int64_t line = 0; line < kCifarChannels * kCifarEdge; ++line) {
    const auto channel = line / kCifarEdge;
    const auto row = line % kCifarEdge;
    const auto* own = pattern.row(channel, row + down, across);
    const auto* other = background.row(channel, row, 0);
    auto* out = pixels + line * kCifarEdge;
    for (std::int64_t x = 0; x < kCifarEdge; ++x) out[x] = static_cast<std::uint8_t>(out[x] + own[x] + other[x]);
  }
}

}  // namespace ddpbench
