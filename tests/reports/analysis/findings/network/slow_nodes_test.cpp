#include "reports/analysis/findings/network/slow_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "suite/contract/vocabulary/node_checks.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kRounds = 24;

// Rounds whose times scatter by a tenth, alike for all nodes of a round as on a host that drifts, and by a hundredth each.
class MadeUpCheck {
 public:
  // `factor`: what the node's ranks take, over what they should.
  MadeUpCheck& add(const NodeCheck& check, const std::map<std::string, double>& factors, double seconds, int ranks_per_node = 1) {
    std::uniform_real_distribution<double> of_round(0.9, 1.1), of_rank(0.99, 1.01);
    for (int round = 1; round <= kRounds; ++round) {
      const double drift = of_round(generator_);
      for (const auto& [node, factor] : factors) {
        for (int local = 0; local < ranks_per_node; ++local) {
          // Where a node has several ranks, one of them is slow.
          const double own = local == ranks_per_node - 1 ? factor : 1;
          row(check, node, round, seconds * drift * own * of_rank(generator_));
        }
      }
    }
    return *this;
  }

  MadeUpCheck& row(const NodeCheck& check, const std::string& node, std::int64_t round, double value,
                   const std::string& peer = "") {
    rows_.push_back({"2026-11-24T12:00:00Z", node, 0, round, std::string(check.name), peer, value, std::string(check.unit)});
    return *this;
  }

  const std::vector<NodeCheckRow>& rows() const { return rows_; }

 private:
  std::mt19937 generator_{7};
  std::vector<NodeCheckRow> rows_;
};

const NodeRow& row_of(const std::vector<NodeRow>& rows, const std::string& node, const NodeCheck& check) {
  for (const auto& row : rows) {
    if (row.node == node && row.check == check.name) return row;
  }
  throw Error("no row of " + node);
}

TEST(SlowNodes, ANodeThatSharesItsCoreIsNamedWithTheReason) {
  MadeUpCheck check;
  check.add(node_check::kProduct, {{"n1", 1}, {"n2", 2}}, 0.04).add(node_check::kProductCpu, {{"n1", 1}, {"n2", 1}}, 0.04);
  const auto rows = judge_node_checks(check.rows());
  const auto& slow = row_of(rows, "n2", node_check::kProduct);
  EXPECT_EQ(slow.finding, node_finding::kSlow);
  EXPECT_NEAR(slow.ratio.value, 2, 0.02);
  EXPECT_LT(slow.ratio.lo, 2);
  EXPECT_GT(slow.ratio.hi, 2);
  EXPECT_EQ(slow.samples, kRounds);
  EXPECT_EQ(row_of(rows, "n1", node_check::kProduct).finding, node_finding::kOk);
  const auto bad = bad_nodes(rows);
  ASSERT_THAT(bad, SizeIs(1));
  EXPECT_THAT(bad[0].reason, HasSubstr("n2 is slow: the same product of matrices takes 2"));
  EXPECT_THAT(bad[0].reason, HasSubstr("had a core for 50 % of that time: something else runs on its cores"));
}

TEST(SlowNodes, ACoreThatIsSlowItselfIsNotSaidToBeShared) {
  MadeUpCheck check;
  check.add(node_check::kProduct, {{"n1", 1}, {"n2", 1.5}}, 0.04).add(node_check::kProductCpu, {{"n1", 1}, {"n2", 1.5}}, 0.04);
  const auto bad = bad_nodes(judge_node_checks(check.rows()));
  ASSERT_THAT(bad, SizeIs(1));
  EXPECT_THAT(bad[0].reason, testing::Not(HasSubstr("something else runs")));
}

TEST(SlowNodes, WithinWhatHealthyNodesDifferByNobodyIsNamed) {
  MadeUpCheck check;
  check.add(node_check::kProduct, {{"n1", 1}, {"n2", 1.08}, {"n3", 1}}, 0.04);
  check.add(node_check::kCopy, {{"n1", 1.2}, {"n2", 1}, {"n3", 1}}, 0.01);
  EXPECT_THAT(bad_nodes(judge_node_checks(check.rows())), IsEmpty());
}

TEST(SlowNodes, OneSlowRankMakesItsNodeSlow) {
  MadeUpCheck check;
  check.add(node_check::kProduct, {{"n1", 1}, {"n2", 1.4}, {"n3", 1}, {"n4", 1}}, 0.04, 4);
  const auto rows = judge_node_checks(check.rows());
  EXPECT_EQ(row_of(rows, "n2", node_check::kProduct).finding, node_finding::kSlow);
  EXPECT_THAT(bad_nodes(rows), SizeIs(1));
}

TEST(SlowNodes, ASlowLinkIsItsNodesWhereThatHasNoGoodOne) {
  MadeUpCheck check;
  const auto link = [&](const std::string& a, const std::string& b, double seconds) {
    check.row(node_check::kLinkLatency, a, 1, seconds, b).row(node_check::kLinkLatency, b, 1, seconds, a);
  };
  link("n1", "n2", 20e-6);
  link("n1", "n3", 90e-6);
  link("n2", "n3", 95e-6);
  check.row(node_check::kLinkLatency, "n1", 2, 21e-6, "n2").row(node_check::kLinkLatency, "n2", 2, 21e-6, "n1");
  check.row(node_check::kLinkLatency, "n1", 2, 84e-6, "n3").row(node_check::kLinkLatency, "n3", 2, 84e-6, "n1");
  const auto rows = judge_node_checks(check.rows());
  EXPECT_EQ(row_of(rows, "n3", node_check::kLinkLatency).finding, node_finding::kSlow);
  EXPECT_EQ(row_of(rows, "n1", node_check::kLinkLatency).finding, node_finding::kOk);
  EXPECT_NEAR(row_of(rows, "n3", node_check::kLinkLatency).ratio.value, 4, 1e-9) << "of the visit in which it compares best";
}

TEST(SlowNodes, ALinkThatIsSlowInOneVisitAloneIsChance) {
  MadeUpCheck check;
  for (std::int64_t visit = 1; visit <= 2; ++visit) {
    const double slow = visit == 1 ? 90e-6 : 20e-6;
    check.row(node_check::kLinkLatency, "n1", visit, 20e-6, "n2").row(node_check::kLinkLatency, "n2", visit, 20e-6, "n1");
    check.row(node_check::kLinkLatency, "n3", visit, slow, "n1");
  }
  EXPECT_THAT(bad_nodes(judge_node_checks(check.rows())), IsEmpty());
}

TEST(SlowNodes, TwoNodesHaveOneLinkAndNobodyIsAccusedOfIt) {
  MadeUpCheck check;
  check.row(node_check::kLinkLatency, "n1", 1, 1, "n2").row(node_check::kLinkLatency, "n2", 1, 3, "n1");
  EXPECT_THAT(judge_node_checks(check.rows()), SizeIs(4)) << "wrong sums and products alone";
}

TEST(SlowNodes, AWrongSumBreaksTheNodeThatHasItAlone) {
  MadeUpCheck check;
  check.row(node_check::kWrongSums, "n1", 1, 0).row(node_check::kWrongSums, "n2", 1, 7);
  const auto bad = bad_nodes(judge_node_checks(check.rows()));
  ASSERT_THAT(bad, SizeIs(1));
  EXPECT_EQ(bad[0].finding, node_finding::kBroken);
  EXPECT_THAT(bad[0].reason, HasSubstr("n2 is broken: 7 elements of an all-reduce that are not the sum"));

  MadeUpCheck of_all;
  of_all.row(node_check::kWrongSums, "n1", 1, 7).row(node_check::kWrongSums, "n2", 1, 7);
  const auto rows = judge_node_checks(of_all.rows());
  EXPECT_THAT(bad_nodes(rows), IsEmpty());
  EXPECT_THAT(row_of(rows, "n1", node_check::kWrongSums).reason, HasSubstr("on all nodes"));
}

TEST(SlowNodes, EachCheckStandsForItself) {
  MadeUpCheck check;
  check.add(node_check::kProduct, {{"n1", 1}, {"n2", 2}}, 0.04);
  auto rows = check.rows();
  const auto earlier = rows;
  for (auto row : earlier) {
    row.started_utc = "2026-11-24T13:00:00Z";
    row.node = row.node == "n1" ? "n2" : "n1";  // the other way round
    rows.push_back(row);
  }
  const auto judged = judge_node_checks(rows);
  EXPECT_THAT(bad_nodes(judged), SizeIs(2));
  EXPECT_EQ(judged.front().started_utc, "2026-11-24T12:00:00Z");
}

TEST(SlowNodes, OfOneNodeNothingIsSaid) {
  MadeUpCheck check;
  check.add(node_check::kProduct, {{"n1", 1}}, 0.04);
  EXPECT_THAT(judge_node_checks(check.rows()), IsEmpty());
  EXPECT_THAT(judge_node_checks({}), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
