#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/contract/tables/csv_fields.hpp"

namespace ddpbench {

// Says what a field of a column holds. An empty number was not measured; a flag is 0 or 1.
namespace column_type {
inline constexpr const char* kText = "text";
inline constexpr const char* kInteger = "integer";
inline constexpr const char* kNumber = "number";
inline constexpr const char* kFlag = "flag";
}  // namespace column_type

// Describes one column; `type` is one of column_type.
struct ColumnSchema {
  std::string name, type, unit, help;
};

// Describes one CSV file, for those who read it without its row type.
struct TableSchema {
  std::string file;    // its path in its folder
  std::string row_is;  // "one arm of one cell"
  std::vector<ColumnSchema> columns;
};

// Returns the column_type of a member.
template <class Row>
struct ColumnTypeOf {
  const char* operator()(std::string Row::* /*member*/) const { return column_type::kText; }
  const char* operator()(std::int64_t Row::* /*member*/) const { return column_type::kInteger; }
  const char* operator()(const NumberMember<Row>& /*member*/) const { return column_type::kNumber; }
  const char* operator()(bool Row::* /*member*/) const { return column_type::kFlag; }
};

// Describes the file of a row type; `row_is` as in TableSchema.
template <class Row>
TableSchema table_schema(const std::string& file, const std::string& row_is) {
  TableSchema table{file, row_is, {}};
  for (const auto& field : csv_fields<Row>()) {
    table.columns.push_back({field.name, std::visit(ColumnTypeOf<Row>{}, field.member), field.unit, field.help});
  }
  return table;
}

// Writes {"schema_version": 12, "tables": [{"file", "row_is", "columns": [{"name", "type", "unit", "help"}]}]}.
nlohmann::ordered_json schema_json(const std::vector<TableSchema>& tables);

}  // namespace ddpbench
