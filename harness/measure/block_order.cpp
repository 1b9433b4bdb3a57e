#include "harness/measure/block_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "suite/base/random.hpp"
#include "suite/contract/arm_name.hpp"

namespace ddpbench {
namespace {

// `reference` at a drawn place of each of so many groups of the others.
std::vector<std::int64_t> among(const std::vector<std::int64_t>& others, std::int64_t reference, std::size_t groups,
                                RandomWords& words) {
  std::vector<std::int64_t> order;
  const auto drawn = words.below(groups);  // which groups are the larger ones
  const auto bound = [&](std::size_t group) {
    return others.begin() + static_cast<std::ptrdiff_t>((group * others.size() + drawn) / groups);
  };
  for (std::size_t group = 0; group < groups; ++group) {
    const auto begin = bound(group);
    const auto end = bound(group + 1);
    const auto place = words.below(static_cast<std::size_t>(end - begin) + 1);
    order.insert(order.end(), begin, end);
    order.insert(order.end() - (end - begin) + static_cast<std::ptrdiff_t>(place), reference);
  }
  return order;
}

}  // namespace

std::vector<std::int64_t> block_order(const std::vector<std::string>& arms, std::int64_t seed, std::int64_t super_block) {
  std::vector<std::int64_t> order(arms.size());
  std::iota(order.begin(), order.end(), 0);
  RandomWords words(static_cast<std::uint64_t>(seed) * 0x632be59bd9b4e019U + static_cast<std::uint64_t>(super_block));
  shuffle(order, words);
  const auto reference = std::find(arms.begin(), arms.end(), kReferenceArm) - arms.begin();
  const auto groups = static_cast<std::size_t>(blocks_in_super_block(kReferenceArm, arms.size()));
  if (groups == 1 || !std::erase(order, reference)) return order;
  return among(order, reference, groups, words);
}

}  // namespace ddpbench
