#include "reports/analysis/tables/findings.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

std::atomic<int> times_made;
std::atomic<int> halves_begun;

struct PartOfTest {
  int value = 0;
};

struct WholeOfTest {
  int value = 0;
};

// They ask each other.
struct HalfOfCircle {};
struct OtherHalfOfCircle {};

// Waits until a thread makes the other half.
void meet_in_circle() {
  ++halves_begun;
  while (halves_begun < 2) std::this_thread::yield();
}

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

template <>
OtherHalfOfCircle make_finding(const Findings& findings);

template <>
HalfOfCircle make_finding(const Findings& findings) {
  meet_in_circle();
  findings.get<OtherHalfOfCircle>();
  return {};
}

template <>
OtherHalfOfCircle make_finding(const Findings& findings) {
  meet_in_circle();
  findings.get<HalfOfCircle>();
  return {};
}

namespace {

class FindingsTest : public testing::Test {
 protected:
  Study study_;
  std::vector<OverheadRow> rows_;
  const Findings findings_{study_, rows_};
};

TEST_F(FindingsTest, MakesEachOnceWhoeverAsks) {
  times_made = 0;
  {
    const auto ask = [&] { EXPECT_EQ(findings_.get<WholeOfTest>().value, 3); };
    const std::jthread one(ask);
    const std::jthread other(ask);
  }
  EXPECT_EQ(&findings_.get<PartOfTest>(), &findings_.get<PartOfTest>());
  EXPECT_EQ(times_made, 2);
}

TEST_F(FindingsTest, ThatAskEachOtherInACircleAreNamed) {
  halves_begun = 2;
  for (int asked = 0; asked < 2; ++asked) {
    try {
      findings_.get<HalfOfCircle>();
      ADD_FAILURE() << "made though it asks for itself";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::MatchesRegex(".*in a circle: .*OtherHalfOfCircle "
                                                      "asks for .*::HalfOfCircle asks for "
                                                      ".*OtherHalfOfCircle"));
    }
  }
  EXPECT_EQ(findings_.get<WholeOfTest>().value, 3) << "others are made all the same";
}

TEST_F(FindingsTest, ThatAskEachOtherFromTwoThreadsHangNeither) {
  halves_begun = 0;
  const std::jthread one([&] { EXPECT_THROW(findings_.get<HalfOfCircle>(), Error); });
  const std::jthread other([&] { EXPECT_THROW(findings_.get<OtherHalfOfCircle>(), Error); });
}

}  // namespace
}  // namespace ddpbench
