#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "reports/analysis/findings/settings/setting_facts.hpp"

namespace ddpbench {

// Finds which cells differ in one setting alone, without looking at every pair: cells that have all other settings in common
// stand in one list. A plan may have 100,000 cells. There is one per reference; the cells must outlive it.
class SettingPartners {
 public:
  explicit SettingPartners(std::span<const CellFacts> cells);

  // Returns the settings that are not the same in all cells: no two cells differ in any other.
  const std::set<std::string>& settings() const { return settings_; }

  // Returns the first cell before `place` that does the same work, differs from it in this setting alone and is comparable;
  // nothing where there is none.
  using IsComparable = std::function<bool(std::size_t)>;
  std::optional<std::size_t> first_before(std::size_t place, const std::string& setting, const IsComparable& is_comparable);

 private:
  using Key = std::uint64_t;                                        // a hash: what it finds is looked at again
  using Lists = std::unordered_map<Key, std::vector<std::size_t>>;  // places, ascending
  using Names = std::vector<std::string>;

  Key key_without(std::size_t place, const std::string& setting) const;
  Key key_of(std::size_t place, const Names& names) const;
  // Of one group of options (setting_facts.hpp), and cells of two kinds that differ in it.
  using TwoKinds = std::tuple<std::string, std::size_t, std::size_t>;
  const Lists& lists_of(const TwoKinds& kinds);
  std::optional<std::size_t> first_in(const Lists& lists, Key key, std::size_t place, const std::string& setting,
                                      const IsComparable& is_comparable) const;
  std::optional<std::size_t> first_of_another(std::size_t place, const std::string& option_group,
                                              const IsComparable& is_comparable);

  std::span<const CellFacts> cells_;
  std::set<std::string> settings_;
  std::vector<Key> work_, whole_;  // of each cell: its work; that and all its settings
  Lists lists_;
  // Cells of one strategy and backend that have options of the same names. Two strategies, or backends, have few options in
  // common, so that their cells are listed by those alone, kind against kind.
  std::vector<std::size_t> kind_of_;
  std::vector<Names> names_of_kind_;
  std::vector<SettingValues> held_by_kind_;  // group of options -> its value
  std::map<TwoKinds, Names> common_names_;
  std::map<TwoKinds, Lists> lists_of_kinds_;
};

}  // namespace ddpbench
