#include "harness/measure/blocks/block_order.hpp"

#include <numeric>

#include "suite/base/random.hpp"

namespace ddpbench {
namespace {

// Places in `order` of the arms that are compared with the reference.
std::vector<std::size_t> places_of_family(const std::vector<std::int64_t>& order, const std::vector<ArmFacts>& arms,
                                          const ArmFacts& reference) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& arm = arms[static_cast<std::size_t>(order[i])];
    if (!arm.is_reference() && arm.reference == reference.name) places.push_back(i);
  }
  return places;
}

// Where the reference is put in, ascending: at a drawn place of each of so many groups of its family.
std::vector<std::size_t> places_of_reference(const std::vector<std::size_t>& family, std::size_t groups, SplitMix64& words) {
  std::vector<std::size_t> places;
  const auto drawn = words.below(groups);  // which groups are the larger ones
  const auto bound = [&](std::size_t group) { return (group * family.size() + drawn) / groups; };
  for (std::size_t group = 0; group < groups; ++group) {
    const auto begin = bound(group);
    const auto end = bound(group + 1);
    const auto member = begin + words.below(end - begin + 1);
    places.push_back(member < end ? family[member] : family[end - 1] + 1);
  }
  return places;
}

std::vector<std::int64_t> with_reference_at(const std::vector<std::int64_t>& others, const std::vector<std::size_t>& places,
                                            std::int64_t reference) {
  std::vector<std::int64_t> order;
  auto place = places.begin();
  for (std::size_t i = 0; i <= others.size(); ++i) {
    for (; place != places.end() && *place == i; ++place) order.push_back(reference);
    if (i < others.size()) order.push_back(others[i]);
  }
  return order;
}

}  // namespace

std::vector<std::int64_t> block_order(const std::vector<ArmFacts>& arms, std::int64_t seed, std::int64_t super_block) {
  std::vector<std::int64_t> order(arms.size());
  std::iota(order.begin(), order.end(), 0);
  SplitMix64 words(static_cast<std::uint64_t>(seed) * 0x632be59bd9b4e019U + static_cast<std::uint64_t>(super_block));
  shuffle(order, words);
  const auto blocks = blocks_in_super_block(arms);
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    if (blocks[arm] == 1) continue;
    const auto reference = static_cast<std::int64_t>(arm);
    std::erase(order, reference);
    const auto family = places_of_family(order, arms, arms[arm]);
    order = with_reference_at(order, places_of_reference(family, static_cast<std::size_t>(blocks[arm]), words), reference);
  }
  return order;
}

}  // namespace ddpbench
