#include "reports/analysis/findings/settings/setting_partners.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include "suite/contract/launch/axes.hpp"

namespace ddpbench {
namespace {

std::uint64_t mixed(std::uint64_t bits) {  // the finalizer of splitmix64
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

std::uint64_t hash_of(std::string_view text) { return mixed(std::hash<std::string_view>()(text)); }
std::uint64_t hash_of(std::string_view name, std::string_view value) { return mixed(hash_of(name) + 3 * hash_of(value)); }
std::uint64_t hash_of(const SettingValues::value_type& setting) { return hash_of(setting.first, setting.second); }

std::uint64_t work_of(const CellFacts& facts) {
  std::uint64_t sum = 0;
  for (const auto& axis : standard_axes()) {
    if (!facts.values.contains(axis.name)) sum += hash_of(axis.name, text_of(axis, facts.cell->axes));
  }
  for (const auto& option : facts.length_options) sum += hash_of(option);
  return sum;
}

std::vector<std::string> names_of(const SettingValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

std::vector<std::string> common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// Values of those settings that bring options.
SettingValues held_by(const SettingValues& values) {
  SettingValues held;
  for (const auto* option_group : kGroupsOfSettings) held[option_group] = values.at(option_group);
  return held;
}

std::set<std::string> varying(std::span<const CellFacts> cells) {
  std::map<std::string_view, std::string_view> first;
  std::set<std::string> found;
  for (const auto& cell : cells) {
    for (const auto& [name, value] : cell.values) {
      if (first.try_emplace(name, value).first->second != value) found.insert(name);
    }
  }
  return found;
}

}  // namespace

SettingPartners::SettingPartners(std::span<const CellFacts> cells) : cells_(cells), settings_(varying(cells)) {
  std::map<std::tuple<SettingValues, Names>, std::size_t> kinds;
  for (std::size_t place = 0; place < cells.size(); ++place) {
    const auto& values = cells[place].values;
    work_.push_back(work_of(cells[place]));
    whole_.push_back(work_.back());
    for (const auto& setting : values) whole_.back() += hash_of(setting);
    for (const auto& setting : settings_) {
      if (!holds_options(setting) && values.contains(setting)) lists_[key_without(place, setting)].push_back(place);
    }
    const auto [kind, fresh] = kinds.try_emplace({held_by(values), names_of(values)}, kinds.size());
    kind_of_.push_back(kind->second);
    if (!fresh) continue;
    held_by_kind_.push_back(held_by(values));
    names_of_kind_.push_back(names_of(values));
  }
}

SettingPartners::Key SettingPartners::key_without(std::size_t place, const std::string& setting) const {
  return whole_[place] - hash_of(setting, cells_[place].values.at(setting)) + hash_of(setting);
}

SettingPartners::Key SettingPartners::key_of(std::size_t place, const Names& names) const {
  auto sum = work_[place];
  for (const auto& name : names) sum += hash_of(name, cells_[place].values.at(name));
  return sum;
}

std::optional<std::size_t> SettingPartners::first_before(std::size_t place, const std::string& setting,
                                                         const IsComparable& is_comparable) {
  if (!cells_[place].values.contains(setting)) return std::nullopt;
  if (holds_options(setting)) return first_of_another(place, setting, is_comparable);
  return first_in(lists_, key_without(place, setting), place, setting, is_comparable);
}

std::optional<std::size_t> SettingPartners::first_in(const Lists& lists, Key key, std::size_t place, const std::string& setting,
                                                     const IsComparable& is_comparable) const {
  const auto found = lists.find(key);
  if (found == lists.end()) return std::nullopt;
  const auto& one = cells_[place];
  const auto& value = one.values.at(setting);
  for (const auto other : found->second) {
    if (other >= place) break;
    const auto& values = cells_[other].values;
    const auto its = values.find(setting);
    if (its == values.end() || its->second == value || !is_comparable(other)) continue;
    if (same_work(one, cells_[other]) && only_difference(one.values, values) == setting) return other;
  }
  return std::nullopt;
}

const SettingPartners::Lists& SettingPartners::lists_of(const TwoKinds& kinds) {
  const auto [found, fresh] = lists_of_kinds_.try_emplace(kinds);
  if (!fresh) return found->second;
  const auto& [option_group, kind, other_kind] = kinds;
  auto& names = common_names_[kinds] = common(names_of_kind_[kind], names_of_kind_[other_kind]);
  std::erase(names, option_group);
  for (std::size_t place = 0; place < cells_.size(); ++place) {
    if (kind_of_[place] == other_kind) found->second[key_of(place, names)].push_back(place);
  }
  return found->second;
}

std::optional<std::size_t> SettingPartners::first_of_another(std::size_t place, const std::string& option_group,
                                                             const IsComparable& is_comparable) {
  const auto kind = kind_of_[place];
  std::optional<std::size_t> first;
  for (std::size_t other = 0; other < names_of_kind_.size(); ++other) {
    if (held_by_kind_[other].at(option_group) == held_by_kind_[kind].at(option_group)) continue;
    const TwoKinds kinds{option_group, kind, other};
    const auto& lists = lists_of(kinds);
    const auto key = key_of(place, common_names_.at(kinds));
    const auto found = first_in(lists, key, place, option_group, is_comparable);
    if (found && (!first || *found < *first)) first = found;
  }
  return first;
}

}  // namespace ddpbench
