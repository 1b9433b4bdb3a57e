#include "reports/analysis/regression/compared_tables.hpp"

#include <gtest/gtest.h>

#include "reports/analysis/regression/instruction_changes.hpp"
#include "reports/analysis/regression/machine_formats.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

TEST(ComparedTables, HaveTheColumnsOfTheirFiles) {
  const std::vector texts{comparison_csv({}), instruction_changes_csv({})};
  const auto tables = compared_tables();
  ASSERT_EQ(tables.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::vector<std::string> names;
    for (const auto& column : tables[i].columns) names.push_back(column.name);
    EXPECT_EQ(texts[i], join(names, ",") + "\n") << tables[i].file;
  }
}

}  // namespace
}  // namespace ddpbench
