#include "suite/plan/constraint.hpp"

#include <cmath>

#include "suite/base/errors.hpp"
#include "suite/plan/constraint_parser.hpp"
#include "suite/plan/constraint_tokens.hpp"
#include "suite/plan/wording.hpp"

namespace ddpbench {

Constraint Constraint::parse(const std::string& text, std::span<const ConstraintName> names) {
  if (text.size() > kMaxBytes) {
    throw UsageError("'" + shown(text) + "' is " + std::to_string(text.size()) + " characters long: must be at most " +
                     std::to_string(kMaxBytes));
  }
  Constraint constraint;
  constraint.text_ = text;
  constraint.nodes_ = ConstraintParser(text, names).parse();
  return constraint;
}

bool Constraint::holds(Values values) const { return condition_of(nodes_.size() - 1, values); }

double Constraint::number_of(std::size_t index, Values values) const {
  const auto& node = nodes_[index];
  switch (node.operation) {
    case Operation::kName: return values[node.name].number;
    case Operation::kNegate: return -number_of(node.left, values);
    case Operation::kAdd: return number_of(node.left, values) + number_of(node.right, values);
    case Operation::kSubtract: return number_of(node.left, values) - number_of(node.right, values);
    case Operation::kMultiply: return number_of(node.left, values) * number_of(node.right, values);
    case Operation::kDivide:
    case Operation::kModulo: return quotient(node, values);
    default: return node.number;
  }
}

double Constraint::quotient(const Node& node, Values values) const {
  const double dividend = number_of(node.left, values);
  const double divisor = number_of(node.right, values);
  if (divisor == 0) throw_at(text_, node.position, "this divides by zero");
  return node.operation == Operation::kDivide ? dividend / divisor : std::fmod(dividend, divisor);
}

std::string_view Constraint::text_of(std::size_t index, Values values) const {
  const auto& node = nodes_[index];
  return node.operation == Operation::kName ? values[node.name].text : std::string_view(node.text);
}

bool Constraint::condition_of(std::size_t index, Values values) const {
  const auto& node = nodes_[index];
  switch (node.operation) {
    case Operation::kName: return values[node.name].condition;
    case Operation::kNot: return !condition_of(node.left, values);
    case Operation::kOr: return condition_of(node.left, values) || condition_of(node.right, values);
    case Operation::kAnd: return condition_of(node.left, values) && condition_of(node.right, values);
    case Operation::kEqual: return equal(node, values);
    case Operation::kDiffers: return !equal(node, values);
    case Operation::kLess: return number_of(node.left, values) < number_of(node.right, values);
    case Operation::kAtMost: return number_of(node.left, values) <= number_of(node.right, values);
    case Operation::kMore: return number_of(node.left, values) > number_of(node.right, values);
    case Operation::kAtLeast: return number_of(node.left, values) >= number_of(node.right, values);
    default: return node.condition;
  }
}

bool Constraint::equal(const Node& node, Values values) const {
  switch (nodes_[node.left].kind) {
    case TermKind::kNumber: return number_of(node.left, values) == number_of(node.right, values);
    case TermKind::kText: return text_of(node.left, values) == text_of(node.right, values);
    case TermKind::kCondition: break;
  }
  return condition_of(node.left, values) == condition_of(node.right, values);
}

}  // namespace ddpbench
