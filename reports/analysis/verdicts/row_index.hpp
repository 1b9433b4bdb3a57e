#pragma once
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Finds the overhead of an arm of a cell on a clock among rows that it does not own. Of two such rows, the first.
class RowIndex {
 public:
  explicit RowIndex(const std::vector<OverheadRow>& rows) : rows_(rows) {
    for (const auto& row : rows) places_.try_emplace({row.cell_id, row.arm, row.clock}, &row);
  }

  const std::vector<OverheadRow>& rows() const { return rows_; }
  // Returns the row; nullptr where there is none.
  const OverheadRow* find(std::string_view cell_id, std::string_view arm, std::string_view clock) const {
    const auto found = places_.find({cell_id, arm, clock});
    return found == places_.end() ? nullptr : found->second;
  }

 private:
  const std::vector<OverheadRow>& rows_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const OverheadRow*> places_;
};

}  // namespace ddpbench
