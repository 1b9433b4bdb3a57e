#include "reports/analysis/comparisons/trimmed_means.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ddpbench {
namespace {

// scipy.stats.ttest_ind(a, b, equal_var=False, trim=0.2); its 10.457 degrees of freedom rounded down to 10.
TEST(TrimmedMeans, KnownAnswer) {
  const std::vector<double> a{2.1, 3.4, 1.9, 2.8, 9.7, 2.2, 2.6, 3.1, 2.4, 2.9, -4.0};
  const std::vector<double> b{1.2, 1.9, 1.4, 2.0, 1.1, 1.7, 1.6, 15.0, 1.3, 1.8, 1.5, 1.0, 2.2};
  const auto found = difference_of_trimmed_means(a, b, 0.95);
  EXPECT_NEAR(found.difference.value, 0.9857142857142858, 1e-12);
  EXPECT_NEAR(found.difference.lo, 0.43643396875606966, 1e-9);
  EXPECT_NEAR(found.difference.hi, 1.5349946026725019, 1e-9);
  EXPECT_NEAR(found.p, 0.0025243522872567775, 1e-12);
  EXPECT_EQ(found.difference.n, 11U);
}

TEST(TrimmedMeans, TooFewValuesOrNoneThatVaryHaveNoDifference) {
  const std::vector<double> five{1, 2, 3, 4, 5};
  const std::vector<double> six{1, 2, 3, 4, 5, 6};
  const std::vector<double> same(8, 2.0);
  EXPECT_TRUE(std::isnan(difference_of_trimmed_means(five, six, 0.95).difference.value));
  EXPECT_TRUE(std::isnan(difference_of_trimmed_means(six, five, 0.95).p));
  EXPECT_TRUE(std::isnan(difference_of_trimmed_means(same, same, 0.95).difference.value));
  EXPECT_TRUE(std::isfinite(difference_of_trimmed_means(six, same, 0.95).p));
}

}  // namespace
}  // namespace ddpbench
