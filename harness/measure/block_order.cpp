#include "harness/measure/block_order.hpp"

#include <numeric>
#include <utility>

namespace ddpbench {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

}  // namespace

std::vector<std::int64_t> block_order(std::int64_t arms, std::int64_t seed, std::int64_t super_block) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(arms));
  std::iota(order.begin(), order.end(), 0);
  auto state = static_cast<std::uint64_t>(seed) * 0x632be59bd9b4e019U + static_cast<std::uint64_t>(super_block);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[splitmix64(state) % i]);
  return order;
}

}  // namespace ddpbench
