#include "reports/analysis/tables/findings.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace ddpbench {
namespace {

std::atomic<int> times_made;

struct PartOfTest {
  int value = 0;
};

struct WholeOfTest {
  int value = 0;
};

}  // namespace

template <>
PartOfTest make_finding(const Findings& /*findings*/) {
  ++times_made;
  return {2};
}

template <>
WholeOfTest make_finding(const Findings& findings) {
  ++times_made;
  return {findings.get<PartOfTest>().value + 1};
}

namespace {

TEST(Findings, MakesEachOnceWhoeverAsks) {
  const Study study;
  const std::vector<OverheadRow> rows;
  const Findings findings(study, rows);
  EXPECT_EQ(times_made, 0) << "nobody has asked";
  {
    const auto ask = [&] { EXPECT_EQ(findings.get<WholeOfTest>().value, 3); };
    const std::jthread one(ask);
    const std::jthread other(ask);
  }
  EXPECT_EQ(&findings.get<PartOfTest>(), &findings.get<PartOfTest>());
  EXPECT_EQ(times_made, 2);
}

}  // namespace
}  // namespace ddpbench
