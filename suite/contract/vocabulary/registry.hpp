#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/nearest.hpp"

namespace ddpbench {

// Returns "a, b, c" from any range whose elements have a `name`.
template <class Table>
std::string known_names(const Table& table) {
  std::string names;
  for (const auto& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

// Returns "unknown arm 'trainr' (known: raw, trainer; did you mean 'trainer'?)".
template <class Table>
std::string unknown_name_message(const Table& table, std::string_view kind, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  const auto hint = did_you_mean(names, std::string(name));
  return "unknown " + std::string(kind) + " '" + std::string(name) + "' (known: " + known_names(table) + hint + ")";
}

// Returns the entry called `name`; nullptr where there is none.
template <class Table>
auto entry_or_null(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

// Returns the entry called `name`. Throws UsageError that names the known ones.
template <class Table>
const auto& find_entry(const Table& table, std::string_view kind, std::string_view name) {
  const auto* found = entry_or_null(table, name);
  if (found == nullptr) throw UsageError(unknown_name_message(table, kind, name));
  return *found;
}

}  // namespace ddpbench
