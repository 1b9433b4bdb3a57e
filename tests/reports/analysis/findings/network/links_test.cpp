#include "reports/analysis/findings/network/links.hpp"

#include <gmock/gmock.h>

#include "suite/contract/vocabulary/node_checks.hpp"

namespace ddpbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

NodeCheckRow visit(const std::string& node, const std::string& peer, const NodeCheck& check, double seconds) {
  return {"2026-11-24T12:00:00Z", node, 0, 1, std::string(check.name), peer, seconds, "s"};
}

TEST(Links, EachEndHasTheMedianOfItsVisits) {
  std::vector<NodeCheckRow> checks;
  for (const double ms : {4.0, 9.0, 5.0}) {
    checks.push_back(visit("a", "b", node_check::kLinkLatency, ms / 100'000));
    checks.push_back(visit("a", "b", node_check::kLinkTransfer, ms / 1'000));
  }
  checks.push_back(visit("b", "a", node_check::kLinkLatency, 1e-4));
  checks.push_back(visit("b", "a", node_check::kLinkTransfer, 2e-3));
  const auto rows = link_rows(checks);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].node + rows[0].peer, "ab");
  EXPECT_DOUBLE_EQ(rows[0].latency_us, 50);
  EXPECT_DOUBLE_EQ(rows[0].transfer_us, 5'000);
  EXPECT_DOUBLE_EQ(rows[0].rate_gb_s, 8.0 * (1 << 20) / 5e-3 / 1e9) << "there and back";
  EXPECT_EQ(rows[0].visits, 3);
  EXPECT_DOUBLE_EQ(rows[1].transfer_us, 2'000);
}

TEST(Links, OtherChecksAreNone) { EXPECT_THAT(link_rows(std::vector{visit("a", "", node_check::kProduct, 1)}), IsEmpty()); }

}  // namespace
}  // namespace ddpbench
