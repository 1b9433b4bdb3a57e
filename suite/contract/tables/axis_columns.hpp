#pragma once
#include <variant>
#include <vector>

#include "suite/contract/launch/axes.hpp"
#include "suite/contract/tables/schema.hpp"

namespace ddpbench {

// Returns a column for each standard axis, in their order; `Row` has them as Axes.
template <class Row>
std::vector<Column<Row>> axis_columns() {
  std::vector<Column<Row>> table;
  for (const auto& axis : standard_axes()) {
    const auto of_row = [](auto member) -> typename Column<Row>::Member { return member; };
    table.push_back({axis.name, std::visit(of_row, axis.member), axis.help});
  }
  return table;
}

}  // namespace ddpbench
