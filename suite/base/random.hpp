#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ddpbench {

// Draws 64-bit words by splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014; variant 13
// of the mixer). Spelled out, because the distributions of <random> differ between standard libraries, and a launch must be
// replayed anywhere.
class SplitMix64 {
 public:
  static constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15U;  // from one state to the next

  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += kStride;
    auto word = state_;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31U);
  }
  // Draws from 0 to `bound` - 1. The modulo's bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

// Returns a hash of `value`: the first word drawn with it as the seed.
inline std::uint64_t mixed(std::uint64_t value) { return SplitMix64(value).next(); }

// Shuffles by Fisher-Yates: every order is equally likely.
template <class Items>
void shuffle(Items& items, SplitMix64& words) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[words.below(i)]);
}

}  // namespace ddpbench
