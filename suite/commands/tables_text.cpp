#include "suite/commands/tables_text.hpp"

#include <algorithm>

#include "suite/plan/wording.hpp"

namespace ddpbench {
namespace {

std::string column_text(const ColumnSchema& column, std::size_t width) {
  const auto unit = column.unit.empty() ? "" : " [" + column.unit + "]";
  return "  " + padded(column.name, width) + "  " + padded(column.type, 7) + "  " + column.help + unit + "\n";
}

std::string table_text(const TableSchema& table) {
  std::size_t width = 0;
  for (const auto& column : table.columns) width = std::max(width, column.name.size());
  auto text = table.file + ": a row is " + table.row_is + "\n";
  for (const auto& column : table.columns) text += column_text(column, width);
  return text;
}

}  // namespace

std::string tables_text(const std::vector<TableSchema>& tables) {
  std::string text;
  for (const auto& table : tables) text += (text.empty() ? "" : "\n") + table_text(table);
  return text + "\nan empty number was not measured; a flag is 0 or 1\n";
}

}  // namespace ddpbench
