#include "workloads/data/image_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "suite/base/random.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kChannels = 3, kEdge = 32;

using Pixels = std::vector<std::uint8_t>;
using Values = std::vector<float>;

const DataSet& cifar10() { return find_data_set("cifar10"); }

Pixels some_pixels() {
  SplitMix64 words(1);
  Pixels pixels(3072);
  for (auto& pixel : pixels) pixel = static_cast<std::uint8_t>(words.next());
  return pixels;
}

Values transformed(const Crop& crop, PixelOrder order) {
  Values out(3072);
  ImageTransform(cifar10()).write(some_pixels().data(), crop, order, out.data());
  return out;
}

// By the definition: pad with zeros, cut out, mirror, normalise.
float expected(const Pixels& pixels, const Crop& crop, std::int64_t channel, std::int64_t y, std::int64_t x) {
  const auto row = y + crop.down - Crop::kPadding;
  const auto column = (crop.flip ? kEdge - 1 - x : x) + crop.across - Crop::kPadding;
  const bool inside = row >= 0 && row < kEdge && column >= 0 && column < kEdge;
  const auto place = static_cast<std::size_t>((channel * kEdge + row) * kEdge + column);
  const std::size_t byte = inside ? pixels[place] : 0;
  return ImageTransform(cifar10()).table()[static_cast<std::size_t>(channel)][byte];
}

TEST(ImageTransform, CutsMirrorsAndNormalisesInBothOrders) {
  const auto pixels = some_pixels();
  for (const auto& crop : {Crop{}, Crop{0, 8, false}, Crop{8, 0, true}, Crop{3, 5, true}, Crop{4, 1, false}}) {
    const auto planes = transformed(crop, PixelOrder::kPlanes), interleaved = transformed(crop, PixelOrder::kInterleaved);
    for (std::int64_t channel = 0; channel < kChannels; ++channel) {
      for (std::int64_t place = 0; place < kEdge * kEdge; ++place) {
        const auto value = expected(pixels, crop, channel, place / kEdge, place % kEdge);
        ASSERT_EQ(planes[static_cast<std::size_t>(channel * kEdge * kEdge + place)], value);
        ASSERT_EQ(interleaved[static_cast<std::size_t>(place * kChannels + channel)], value);
      }
    }
  }
}

TEST(ImageTransform, KnowsTheStatisticsOfBothSets) {
  EXPECT_FLOAT_EQ(ImageTransform(cifar10()).table()[0][255], (1 - 0.4914F) / 0.2470F);
  EXPECT_FLOAT_EQ(ImageTransform(find_data_set("cifar100")).table()[2][0], -0.4409F / 0.2762F);
}

// 40,000 draws: a place's share has a standard deviation of 0.16 %, so 1 % off is chance once in 10^9.
TEST(Crops, AreDrawnFromAllPlacesAlike) {
  constexpr int kDraws = 40'000;
  std::map<int, int> down, across;
  int flips = 0;
  SplitMix64 words(7);
  for (int i = 0; i < kDraws; ++i) {
    const auto crop = crop_from(words.next());
    ++down[crop.down];
    ++across[crop.across];
    flips += crop.flip ? 1 : 0;
  }
  ASSERT_EQ(down.size(), 9U);
  ASSERT_EQ(across.size(), 9U);
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(down[i], kDraws / 9.0, kDraws / 100.0) << i;
    EXPECT_NEAR(across[i], kDraws / 9.0, kDraws / 100.0) << i;
  }
  EXPECT_NEAR(flips, kDraws / 2.0, kDraws / 50.0);
}

}  // namespace
}  // namespace ddpbench
