#include "suite/plan/constraint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/plan/constraint_tokens.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

// How tightly an operator binds.
enum : int { kOrBinds = 1, kAndBinds, kNotBinds, kComparisonBinds, kSumBinds, kProductBinds, kMinusBinds };

const char* noun(TermKind kind) {
  constexpr std::array<const char*, 3> kNouns{"a number", "text", "a condition"};
  return kNouns[static_cast<std::size_t>(kind)];
}

}  // namespace

// Builds the nodes of one constraint by precedence climbing. Lives for one call of Constraint::parse.
class ConstraintParser {
 public:
  ConstraintParser(const std::string& text, std::span<const ConstraintName> names);
  std::vector<Constraint::Node> parse();

 private:
  using Node = Constraint::Node;
  using Operation = Constraint::Operation;
  struct Binary;
  static const Binary* find_binary(const ConstraintToken& token);

  std::size_t term(int loosest);
  std::size_t prefixed(int loosest);
  std::size_t negation(Operation operation, int operand_binds, TermKind kind);
  std::size_t primary();
  std::size_t parenthesised();
  std::size_t word(const ConstraintToken& token);
  std::size_t joined(const Binary& binary, std::size_t left, const ConstraintToken& sign);
  void expect(std::size_t node, TermKind kind, const std::string& who) const;
  std::size_t add(Node node);
  const ConstraintToken& peek() const { return tokens_[at_]; }
  bool takes(std::string_view text);
  [[noreturn]] void fail(std::size_t position, const std::string& message) const { throw_at(text_, position, message); }

  const std::string& text_;
  std::span<const ConstraintName> names_;
  std::vector<ConstraintToken> tokens_;
  std::vector<Node> nodes_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

struct ConstraintParser::Binary {
  std::string_view sign;
  int binds;
  Operation operation;
  TermKind operands;  // kText stands for "two of the same kind": == and !=
  TermKind result;
};

const ConstraintParser::Binary* ConstraintParser::find_binary(const ConstraintToken& token) {
  using enum TermKind;
  static constexpr std::array<Binary, 13> kBinaries{{{"or", kOrBinds, Operation::kOr, kCondition, kCondition},
                                                     {"and", kAndBinds, Operation::kAnd, kCondition, kCondition},
                                                     {"==", kComparisonBinds, Operation::kEqual, kText, kCondition},
                                                     {"!=", kComparisonBinds, Operation::kDiffers, kText, kCondition},
                                                     {"<", kComparisonBinds, Operation::kLess, kNumber, kCondition},
                                                     {"<=", kComparisonBinds, Operation::kAtMost, kNumber, kCondition},
                                                     {">", kComparisonBinds, Operation::kMore, kNumber, kCondition},
                                                     {">=", kComparisonBinds, Operation::kAtLeast, kNumber, kCondition},
                                                     {"+", kSumBinds, Operation::kAdd, kNumber, kNumber},
                                                     {"-", kSumBinds, Operation::kSubtract, kNumber, kNumber},
                                                     {"*", kProductBinds, Operation::kMultiply, kNumber, kNumber},
                                                     {"/", kProductBinds, Operation::kDivide, kNumber, kNumber},
                                                     {"%", kProductBinds, Operation::kModulo, kNumber, kNumber}}};
  if (token.kind != ConstraintToken::Kind::kSymbol && token.kind != ConstraintToken::Kind::kWord) return nullptr;
  const auto* found = std::find_if(kBinaries.begin(), kBinaries.end(), [&](const Binary& b) { return b.sign == token.text; });
  return found == kBinaries.end() ? nullptr : found;
}

ConstraintParser::ConstraintParser(const std::string& text, std::span<const ConstraintName> names)
    : text_(text), names_(names), tokens_(constraint_tokens(text)) {}

std::vector<Constraint::Node> ConstraintParser::parse() {
  const auto root = term(kOrBinds);
  if (peek().kind != ConstraintToken::Kind::kEnd)
    fail(peek().position, "an operator or the end of the constraint is expected here");
  expect(root, TermKind::kCondition, "a constraint");
  return std::move(nodes_);
}

std::size_t ConstraintParser::term(int loosest) {
  if (++depth_ > Constraint::kMaxDepth)
    fail(peek().position, "nested more than " + std::to_string(Constraint::kMaxDepth) + " deep");
  auto left = prefixed(loosest);
  bool compared = false;
  for (const auto* binary = find_binary(peek()); binary != nullptr && binary->binds >= loosest; binary = find_binary(peek())) {
    const auto sign = peek();
    if (compared && binary->binds == kComparisonBinds) fail(sign.position, "comparisons do not chain: join them with 'and'");
    ++at_;
    compared = binary->binds == kComparisonBinds;
    left = joined(*binary, left, sign);
  }
  --depth_;
  return left;
}

std::size_t ConstraintParser::joined(const Binary& binary, std::size_t left, const ConstraintToken& sign) {
  const auto right = term(binary.binds + 1);
  const auto who = "'" + std::string(sign.text) + "'";
  const bool same_kind = binary.operands == TermKind::kText;
  if (!same_kind) expect(left, binary.operands, who);
  expect(right, same_kind ? nodes_[left].kind : binary.operands,
         who + (same_kind ? " after " + std::string(noun(nodes_[left].kind)) : ""));
  return add({.operation = binary.operation,
              .kind = binary.result,
              .left = left,
              .right = right,
              .position = sign.position,
              .text = {}});
}

std::size_t ConstraintParser::prefixed(int loosest) {
  if (peek().kind == ConstraintToken::Kind::kWord && peek().text == "not") {
    if (loosest > kNotBinds) fail(peek().position, "put 'not …' into parentheses here");
    return negation(Operation::kNot, kNotBinds, TermKind::kCondition);
  }
  if (peek().kind == ConstraintToken::Kind::kSymbol && peek().text == "-") {
    return negation(Operation::kNegate, kMinusBinds, TermKind::kNumber);
  }
  return primary();
}

std::size_t ConstraintParser::negation(Operation operation, int operand_binds, TermKind kind) {
  const auto sign = peek();
  ++at_;
  const auto operand = term(operand_binds);
  expect(operand, kind, "'" + std::string(sign.text) + "'");
  return add({.operation = operation, .kind = kind, .left = operand, .position = sign.position, .text = {}});
}

std::size_t ConstraintParser::primary() {
  const auto token = peek();
  if (takes("(")) return parenthesised();
  ++at_;
  switch (token.kind) {
    case ConstraintToken::Kind::kNumber: return add({.position = token.position, .number = token.number, .text = {}});
    case ConstraintToken::Kind::kText:
      return add({.kind = TermKind::kText, .position = token.position, .text = std::string(token.text)});
    case ConstraintToken::Kind::kWord: return word(token);
    case ConstraintToken::Kind::kSymbol:
    case ConstraintToken::Kind::kEnd: break;
  }
  fail(token.position, "an axis name, a number, a quoted string or '(' is missing here");
}

std::size_t ConstraintParser::parenthesised() {
  const auto open = tokens_[at_ - 1].position;
  const auto inner = term(kOrBinds);
  if (!takes(")")) fail(peek().position, "')' is missing for the '(' at character " + std::to_string(open + 1));
  return inner;
}

std::size_t ConstraintParser::word(const ConstraintToken& token) {
  if (token.text == "true" || token.text == "false") {
    return add({.kind = TermKind::kCondition, .position = token.position, .text = {}, .condition = token.text == "true"});
  }
  const auto found = std::find_if(names_.begin(), names_.end(), [&](const auto& name) { return name.name == token.text; });
  if (found == names_.end()) {
    std::vector<std::string> known;
    for (const auto& name : names_) known.push_back(name.name);
    fail(token.position, unknown_message("axis", std::string(token.text), known));
  }
  const auto index = static_cast<std::size_t>(found - names_.begin());
  return add({.operation = Operation::kName, .kind = found->kind, .name = index, .position = token.position, .text = {}});
}

void ConstraintParser::expect(std::size_t node, TermKind kind, const std::string& who) const {
  if (nodes_[node].kind == kind) return;
  fail(nodes_[node].position, who + " needs " + noun(kind) + ", this is " + noun(nodes_[node].kind));
}

std::size_t ConstraintParser::add(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

bool ConstraintParser::takes(std::string_view text) {
  if (peek().kind != ConstraintToken::Kind::kSymbol || peek().text != text) return false;
  ++at_;
  return true;
}

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
