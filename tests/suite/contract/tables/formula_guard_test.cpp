#include "suite/contract/tables/formula_guard.hpp"

#include <gtest/gtest.h>

#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

TEST(FormulaGuard, ATextThatASpreadsheetWouldRunBeginsWithAnApostrophe) {
  EXPECT_EQ(guarded("=HYPERLINK(\"http://x\")"), "'=HYPERLINK(\"http://x\")");
  for (const std::string text : {"=1", "+1-2", "-a", "@SUM(A1)", "'=1", "''@x"}) {
    EXPECT_EQ(guarded(text), "'" + text);
    EXPECT_EQ(unguarded(guarded(text)), text);
  }
}

TEST(FormulaGuard, NumbersAndOtherTextsStay) {
  for (const std::string text : {"", "-0.5", "-1e-06", "trainer+log", "a=b", "'quoted'", "'"}) {
    EXPECT_EQ(guarded(text), text);
    EXPECT_EQ(unguarded(text), text);
  }
}

TEST(FormulaGuard, OfEveryTextOfATableAndOfNoNumber) {
  std::string text = csv_header<MetricRow>();
  append_csv_row(text, MetricRow{"=L1", "raw", 0, "@m", -2.5, "-s"});
  EXPECT_EQ(text.substr(text.find('\n') + 1), "'=L1,raw,0,'@m,-2.5,'-s\n");
  const auto row = read_csv_text<MetricRow>(text, "metrics.csv").front();
  EXPECT_EQ(row.launch_id + row.metric + row.unit, "=L1@m-s");
}

}  // namespace
}  // namespace ddpbench
