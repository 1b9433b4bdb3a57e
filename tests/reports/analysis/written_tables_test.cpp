#include "reports/analysis/written_tables.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "reports/analysis/report_tables.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/text.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

class WrittenTables : public AnalysedRun {};

TEST_F(WrittenTables, WritesEveryTable) {
  analyse_launches({SyntheticLaunch{}});
  for (const auto& entry : kReportTables) {
    const auto table = entry().schema;
    const auto text = read_file(path_ + "/" + table.file);
    std::vector<std::string> names;
    for (const auto& column : table.columns) names.push_back(column.name);
    EXPECT_EQ(text.substr(0, text.find('\n')), join(names, ",")) << table.file;
  }
}

// Whoever plots two columns of a table must not have to multiply one of them.
TEST_F(WrittenTables, TimesOfATableAreOfOneUnit) {
  for (const auto& entry : kReportTables) {
    const auto table = entry().schema;
    std::set<std::string> units;
    for (const auto& column : table.columns) {
      if (column.unit == "s" || column.unit == "ms" || column.unit == "us") units.insert(column.unit);
    }
    EXPECT_LE(units.size(), 1U) << table.file << ": " << join(units, ", ");
  }
}

TEST_F(WrittenTables, AFolderSaysWhatItsTablesHold) {
  analyse_launches({SyntheticLaunch{}});
  const auto json = nlohmann::ordered_json::parse(read_file(path_ + "/tables/schema.json"));
  EXPECT_EQ(json, schema_json(written_tables()));
  std::vector<std::string> files;
  for (const auto& table : json["tables"]) files.push_back(table["file"]);
  EXPECT_THAT(files, testing::IsSupersetOf({"plan.csv", "steps.csv.gz", "overhead.csv", "tables/cells.csv", "scaling.csv"}));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
    if (entry.path().extension() != ".csv") continue;
    EXPECT_THAT(files, testing::Contains(std::filesystem::relative(entry.path(), path_).string()));
  }
}

}  // namespace
}  // namespace ddpbench
