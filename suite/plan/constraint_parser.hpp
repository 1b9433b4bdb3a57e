#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "suite/plan/constraint.hpp"
#include "suite/plan/constraint_tokens.hpp"

namespace ddpbench {

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

}  // namespace ddpbench
