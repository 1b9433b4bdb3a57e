#include "harness/measure/block_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "suite/vocab/arm_name.hpp"

namespace ddpbench {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

void shuffle(std::vector<std::int64_t>& order, std::uint64_t& state) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[splitmix64(state) % i]);
}

// `reference` at a drawn place of each of so many groups of the others.
std::vector<std::int64_t> among(const std::vector<std::int64_t>& others, std::int64_t reference, std::size_t groups,
                                std::uint64_t& state) {
  std::vector<std::int64_t> order;
  const auto drawn = splitmix64(state) % groups;  // which groups are the larger ones
  const auto bound = [&](std::size_t group) {
    return others.begin() + static_cast<std::ptrdiff_t>((group * others.size() + drawn) / groups);
  };
  for (std::size_t group = 0; group < groups; ++group) {
    const auto begin = bound(group);
    const auto end = bound(group + 1);
    const auto place = splitmix64(state) % (static_cast<std::size_t>(end - begin) + 1);
    order.insert(order.end(), begin, end);
    order.insert(order.end() - (end - begin) + static_cast<std::ptrdiff_t>(place), reference);
  }
  return order;
}

}  // namespace

std::vector<std::int64_t> block_order(const std::vector<std::string>& arms, std::int64_t seed, std::int64_t super_block) {
  std::vector<std::int64_t> order(arms.size());
  std::iota(order.begin(), order.end(), 0);
  auto state = static_cast<std::uint64_t>(seed) * 0x632be59bd9b4e019U + static_cast<std::uint64_t>(super_block);
  shuffle(order, state);
  const auto reference = std::find(arms.begin(), arms.end(), kReferenceArm) - arms.begin();
  const auto groups = static_cast<std::size_t>(blocks_in_super_block(kReferenceArm, arms.size()));
  if (groups == 1 || !std::erase(order, reference)) return order;
  return among(order, reference, groups, state);
}

}  // namespace ddpbench
