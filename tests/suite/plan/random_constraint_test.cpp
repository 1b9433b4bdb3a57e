#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <memory>
#include <optional>

#include "suite/base/errors.hpp"
#include "suite/plan/constraint.hpp"

namespace ddpbench {
namespace {

const std::vector<ConstraintName> kRandomNames{{"a", TermKind::kNumber}, {"b", TermKind::kNumber}, {"t", TermKind::kText}};

// A random expression as a tree: printed with all its parentheses or with as few as the documented precedence allows, and
// evaluated on the tree itself. Nothing where it divides by zero.
struct Tree {
  std::string sign{};  // "" for a leaf
  int binds = 9;
  std::string leaf{};
  double number = 0;
  std::shared_ptr<Tree> left{}, right{};
};
using TreePtr = std::shared_ptr<Tree>;

struct Sign {
  const char* text;
  int binds;
};

int draw(int below) { return *rc::gen::inRange(0, below); }

TreePtr number_tree(int depth) {
  if (depth == 0 || draw(3) == 0) {
    const int value = draw(6);
    if (value < 2) return std::make_shared<Tree>(Tree{.leaf = value == 0 ? "a" : "b", .number = value == 0 ? 4.0 : 3.0});
    return std::make_shared<Tree>(Tree{.leaf = std::to_string(value), .number = static_cast<double>(value)});
  }
  static const std::vector<Sign> kSigns{{"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}};
  const auto& sign = kSigns[static_cast<std::size_t>(draw(5))];
  return std::make_shared<Tree>(
      Tree{.sign = sign.text, .binds = sign.binds, .left = number_tree(depth - 1), .right = number_tree(depth - 1)});
}

TreePtr condition_tree(int depth) {
  static const std::vector<Sign> kJoins{{"or", 1}, {"and", 2}};
  static const std::vector<Sign> kComparisons{{"==", 4}, {"!=", 4}, {"<", 4}, {"<=", 4}, {">", 4}, {">=", 4}};
  const int kind = depth == 0 ? 0 : draw(4);
  if (kind == 3) return std::make_shared<Tree>(Tree{.sign = "not", .binds = 3, .right = condition_tree(depth - 1)});
  const auto sign = kind == 0 ? kComparisons[static_cast<std::size_t>(draw(6))] : kJoins[static_cast<std::size_t>(draw(2))];
  const auto make = kind == 0 ? number_tree : condition_tree;
  const int below = depth == 0 ? 0 : depth - 1;
  return std::make_shared<Tree>(Tree{.sign = sign.text, .binds = sign.binds, .left = make(below), .right = make(below)});
}

std::string text_of(const Tree& tree, int loosest, bool all_parentheses) {
  if (tree.sign.empty()) return tree.leaf;
  std::string text;
  if (tree.left) text = text_of(*tree.left, tree.binds == 4 ? 5 : tree.binds, all_parentheses) + " ";
  text += tree.sign + " " + text_of(*tree.right, tree.left ? tree.binds + 1 : tree.binds, all_parentheses);
  return all_parentheses || tree.binds < loosest ? "(" + text + ")" : text;
}

std::optional<double> number_of(const Tree& tree) {
  if (tree.sign.empty()) return tree.number;
  const auto left = number_of(*tree.left);
  const auto right = number_of(*tree.right);
  if (!left || !right) return std::nullopt;
  if (tree.sign == "+") return *left + *right;
  if (tree.sign == "-") return *left - *right;
  if (tree.sign == "*") return *left * *right;
  if (*right == 0) return std::nullopt;
  return tree.sign == "/" ? *left / *right : std::fmod(*left, *right);
}

bool compared(const std::string& sign, double left, double right) {
  if (sign == "==") return left == right;
  if (sign == "!=") return left != right;
  if (sign == "<") return left < right;
  if (sign == "<=") return left <= right;
  return sign == ">" ? left > right : left >= right;
}

std::optional<bool> condition_of(const Tree& tree) {
  if (tree.sign == "not") {
    const auto right = condition_of(*tree.right);
    return right ? std::optional<bool>(!*right) : std::nullopt;
  }
  if (tree.sign == "and" || tree.sign == "or") {
    const auto left = condition_of(*tree.left);
    if (!left || *left == (tree.sign == "or")) return left;
    return condition_of(*tree.right);
  }
  const auto left = number_of(*tree.left);
  const auto right = number_of(*tree.right);
  if (!left || !right) return std::nullopt;
  return compared(tree.sign, *left, *right);
}

std::optional<bool> answer(const std::string& text) {
  const std::vector<ConstraintValue> values{{.number = 4, .text = {}}, {.number = 3, .text = {}}, {.text = "x"}};
  const auto constraint = Constraint::parse(text, kRandomNames);
  try {
    return constraint.holds(values);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

TEST(RandomConstraint, AgreesWithTheTreeItWasPrintedFrom) {
  EXPECT_TRUE(rc::check([] {
    const auto tree = condition_tree(4);
    const auto expected = condition_of(*tree);
    RC_LOG() << text_of(*tree, 0, false) << "\n";
    RC_PRE(text_of(*tree, 0, true).size() <= Constraint::kMaxBytes);
    RC_ASSERT(answer(text_of(*tree, 0, true)) == expected);
    RC_ASSERT(answer(text_of(*tree, 0, false)) == expected);
  }));
}

TEST(RandomConstraint, GarbageIsRefusedOrAnsweredButNeverCrashes) {
  const std::vector<std::string> words{"a", "b", "t",  "c", "(",    ")",  "not", "and",  "or",  "+",
                                       "-", "*", "/",  "%", "<",    "<=", "==",  "=",    "'x'", "\"",
                                       "1", ".", "1e", "0", "true", " ",  "\n",  "\xff", "ü",   std::string(1, '\0')};
  EXPECT_TRUE(rc::check([&] {
    std::string text;
    for (const auto& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words)))
      text += word + (draw(2) == 0 ? " " : "");
    try {
      answer(text);
    } catch (const UsageError& error) {
      RC_ASSERT(std::string(error.what()).size() > 10U);
    }
  }));
}

}  // namespace
}  // namespace ddpbench
