#include "suite/contract/tables/table_schema.hpp"

#include <nlohmann/json.hpp>

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

Json table_json(const TableSchema& table) {
  Json json{{"file", table.file}, {"row_is", table.row_is}, {"columns", Json::array()}};
  for (const auto& column : table.columns) {
    json["columns"].push_back({{"name", column.name}, {"type", column.type}, {"unit", column.unit}, {"help", column.help}});
  }
  return json;
}

}  // namespace

Json schema_json(const std::vector<TableSchema>& tables) {
  Json json{{"schema_version", kSchemaVersion}, {"tables", Json::array()}};
  for (const auto& table : tables) json["tables"].push_back(table_json(table));
  return json;
}

}  // namespace ddpbench
