#include "harness/purposes/nodes/node_partners.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace ddpbench {
namespace {

TEST(NodePartners, AreEachOthers) {
  for (std::int64_t nodes = 1; nodes <= 17; ++nodes) {
    for (std::int64_t round = 0; round < rounds_of_partners(nodes); ++round) {
      int alone = 0;
      for (std::int64_t node = 0; node < nodes; ++node) {
        const auto partner = partner_of(node, round, nodes);
        ASSERT_LT(partner, nodes);
        ASSERT_NE(partner, node);
        if (partner < 0) {
          ++alone;
        } else {
          ASSERT_EQ(partner_of(partner, round, nodes), node) << nodes << " nodes, round " << round;
        }
      }
      EXPECT_EQ(alone, nodes % 2) << nodes << " nodes, round " << round;
    }
  }
}

TEST(NodePartners, EveryNodeMeetsEveryOtherOnce) {
  for (std::int64_t nodes = 1; nodes <= 17; ++nodes) {
    std::set<std::pair<std::int64_t, std::int64_t>> met;
    for (std::int64_t round = 0; round < rounds_of_partners(nodes); ++round) {
      for (std::int64_t node = 0; node < nodes; ++node) {
        const auto partner = partner_of(node, round, nodes);
        if (partner < 0) continue;
        EXPECT_TRUE(met.emplace(node, partner).second) << "once";
      }
    }
    EXPECT_EQ(met.size(), static_cast<std::size_t>(nodes * (nodes - 1)));
  }
}

TEST(NodePartners, OneNodeMeetsNobody) {
  EXPECT_EQ(rounds_of_partners(1), 0);
  EXPECT_EQ(partner_of(0, 0, 1), -1);
}

}  // namespace
}  // namespace ddpbench
