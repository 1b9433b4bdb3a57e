#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Holds one word of a constraint.
struct ConstraintToken {
  enum class Kind { kNumber, kText, kWord, kSymbol, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text;  // as written; for kText without its quotes
  double number = 0;
  std::size_t position = 0;  // byte in the constraint
};

// Splits a constraint into its words, kEnd last; they point into `constraint`. Throws UsageError for what is no word of the
// language.
std::vector<ConstraintToken> constraint_tokens(std::string_view constraint);

// Throws UsageError: the message, the constraint, and a caret under byte `position` of it.
[[noreturn]] void throw_at(std::string_view constraint, std::size_t position, const std::string& message);

}  // namespace ddpbench
