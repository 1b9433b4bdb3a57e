#include "reports/analysis/samples/cell_order.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "reports/analysis/samples/study.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/launch/axes.hpp"

namespace ddpbench {
namespace {

// Where a value stands: in the experiment's list, else behind it, by its number, else by its text.
using ValuePlace = std::tuple<std::string, std::size_t, double, std::string>;  // its axis, that is compared first

ValuePlace value_place(const Settings& settings, const std::string& axis, const std::string& value) {
  const auto found = settings.axes.find(axis);
  const auto listed = found == settings.axes.end() ? std::vector<std::string>{} : found->second;
  const auto at = static_cast<std::size_t>(std::find(listed.begin(), listed.end(), value) - listed.begin());
  return {axis, at, parse_finite<double>(value).value_or(0), value};
}

std::vector<ValuePlace> value_places(const Settings& settings, const PlanRow& row) {
  std::vector<ValuePlace> places;
  for (const auto& axis : standard_axes()) places.push_back(value_place(settings, axis.name, text_of(axis, row)));
  auto options = options_of(row);
  std::sort(options.begin(), options.end());
  for (const auto& option : options) {
    const auto key = option_name(option);
    places.push_back(value_place(settings, key, option.substr(std::min(key.size() + 1, option.size()))));
  }
  return places;
}

}  // namespace

std::vector<PlanRow> cells_in_order(const Settings& settings, const std::vector<PlanRow>& plan) {
  std::vector<std::pair<std::vector<ValuePlace>, PlanRow>> cells;
  std::set<std::string> known;
  for (const auto& row : plan) {
    if (known.insert(row.cell_id).second) cells.emplace_back(value_places(settings, row), row);
  }
  std::stable_sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<PlanRow> rows;
  for (auto& [places, row] : cells) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ddpbench
