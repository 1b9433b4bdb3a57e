#include <algorithm>
#include <map>
#include <string_view>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/tables/axis_columns.hpp"

namespace ddpbench {
namespace {

struct CellAxesRow : Axes {
  std::string label, options;
  std::int64_t world_size = 1;
};

}  // namespace

template <>
std::span<const Column<CellAxesRow>> columns<CellAxesRow>() {
  static const auto table = [] {
    auto made = axis_columns<CellAxesRow>();
    made.insert(made.begin(), {"label", &CellAxesRow::label, "the cell's workload, and what tells it from the others"});
    made.push_back({"world_size", &CellAxesRow::world_size, "ranks"});
    made.push_back({"options", &CellAxesRow::options, "those that differ between cells, name=value;…"});
    return made;
  }();
  return table;
}

namespace {

bool has_column(const TableSchema& schema, std::string_view name) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [&](const ColumnSchema& column) { return column.name == name; });
}

bool takes_axes(const TableSchema& schema) {
  const auto& of_cell = csv_fields<CellAxesRow>();
  return !schema.columns.empty() && schema.columns.front().name == "cell_id" &&
         std::none_of(of_cell.begin(), of_cell.end(), [&](const auto& field) { return has_column(schema, field.name); });
}

std::string axes_text(const Study& study, const Cell& cell) {
  CellAxesRow row;
  row.axes() = cell.axes.axes();
  row.label = cell.label;
  row.world_size = cell.world_size();
  row.options = join(telling_options_of(study, cell.axes), ";");
  std::string text;
  append_csv_row(text, row);
  return text;
}

}  // namespace

bool add_axes_columns(TableSchema& schema) {
  if (!takes_axes(schema)) return false;
  for (auto& column : table_schema<CellAxesRow>("", "").columns) schema.columns.push_back(std::move(column));
  return true;
}

// A line is a row, and an identifier needs no quotes.
std::string with_axes_of_cells(const std::string& text, const Study& study) {
  std::map<std::string, std::string, std::less<>> by_cell;
  for (const auto& cell : study.cells) by_cell[cell.axes.cell_id] = axes_text(study, cell);
  const std::string no_cell(csv_fields<CellAxesRow>().size() - 1, ',');
  std::string with;
  bool is_header = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    const std::string_view line(text.data() + begin, end - begin);
    with.append(line) += ',';
    const auto cell = by_cell.find(line.substr(0, line.find(',')));
    with += is_header ? csv_header<CellAxesRow>() : cell == by_cell.end() ? no_cell + "\n" : cell->second;
    is_header = false;
    begin = end + 1;
  }
  return with;
}

}  // namespace ddpbench
