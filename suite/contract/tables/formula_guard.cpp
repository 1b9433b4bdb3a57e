#include "suite/contract/tables/formula_guard.hpp"

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

bool runs_behind_apostrophes(std::string_view text) {
  const auto first = text.find_first_not_of('\'');
  return first != std::string_view::npos && std::string_view("=+-@").find(text[first]) != std::string_view::npos;
}

}  // namespace

std::string guarded(std::string text) {
  if (!runs_behind_apostrophes(text) || parse_number<double>(text)) return text;
  return text.insert(0, 1, '\'');
}

std::string_view unguarded(std::string_view field) {
  const bool has_guard = field.starts_with('\'') && runs_behind_apostrophes(field);
  return has_guard ? field.substr(1) : field;
}

}  // namespace ddpbench
