#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Says what a term of a constraint is: known before any cell is looked at, so that every mistake in a type is told with its
// place.
enum class TermKind { kNumber, kText, kCondition };

// Names what a constraint may use, and its kind.
struct ConstraintName {
  std::string name;
  TermKind kind = TermKind::kNumber;
};

// Holds the value of one name in one cell; the member of the name's kind counts.
struct ConstraintValue {
  double number = 0;
  std::string_view text;
  bool condition = false;
};

// Holds one condition over the axes: `nodes * ranks_per_node <= 16 and not backend == "nccl"`. Loosest first: or, and, not,
// comparisons (which do not chain), + and -, then *, / and %, unary minus. `/` divides as numbers do on paper, `%` is fmod; text
// can only be compared with == and !=; true and false are words. What comes after a decided `and` or `or` is not looked at.
class Constraint {
 public:
  // Bounds a constraint; longer or deeper ones are refused: parsing and evaluating recurse.
  static constexpr std::size_t kMaxBytes = 2'000;
  static constexpr std::size_t kMaxDepth = 100;

  // Parses a text. Throws UsageError that shows the constraint with a caret under the mistake; an unknown name lists the known
  // ones.
  static Constraint parse(const std::string& text, std::span<const ConstraintName> names);

  // Returns whether it is true. `values` stand in the order of the names given to parse. Throws UsageError where it divides by
  // zero.
  bool holds(std::span<const ConstraintValue> values) const;

  const std::string& text() const { return text_; }
  std::size_t terms() const { return nodes_.size(); }  // looked at in a cell, at most

 private:
  friend class ConstraintParser;
  enum class Operation {
    kLiteral,
    kName,
    kNegate,
    kNot,
    kOr,
    kAnd,
    kEqual,
    kDiffers,
    kLess,
    kAtMost,
    kMore,
    kAtLeast,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo
  };
  struct Node {
    Operation operation = Operation::kLiteral;
    TermKind kind = TermKind::kNumber;
    std::size_t left = 0, right = 0;  // nodes
    std::size_t name = 0;
    std::size_t position = 0;
    double number = 0;  // of a literal
    std::string text;
    bool condition = false;
  };
  using Values = std::span<const ConstraintValue>;

  double number_of(std::size_t node, Values values) const;
  std::string_view text_of(std::size_t node, Values values) const;
  bool condition_of(std::size_t node, Values values) const;
  bool equal(const Node& node, Values values) const;
  double quotient(const Node& node, Values values) const;

  std::string text_;
  std::vector<Node> nodes_;  // the root last
};

}  // namespace ddpbench
