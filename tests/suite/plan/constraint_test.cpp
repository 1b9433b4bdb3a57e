#include "suite/plan/constraint.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

const std::vector<ConstraintName> kNames{
    {"nodes", TermKind::kNumber}, {"ranks", TermKind::kNumber}, {"backend", TermKind::kText}, {"view", TermKind::kCondition}};

// nodes 4, ranks 3, backend gloo, view true
bool holds(const std::string& text) {
  const std::vector<ConstraintValue> values{
      {.number = 4, .text = {}}, {.number = 3, .text = {}}, {.text = "gloo"}, {.text = {}, .condition = true}};
  return Constraint::parse(text, kNames).holds(values);
}

std::string complaint(const std::string& text) {
  try {
    holds(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no complaint";
}

struct Known {
  const char* text;
  bool answer;
};

class KnownConstraint : public testing::TestWithParam<Known> {};
TEST_P(KnownConstraint, HasItsAnswer) { EXPECT_EQ(holds(GetParam().text), GetParam().answer) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(Table, KnownConstraint,
                         testing::Values(Known{"nodes * ranks <= 12", true}, Known{"nodes * ranks < 12", false},
                                         Known{"nodes == 4", true}, Known{"nodes != 4", false},
                                         Known{"nodes >= 4 and ranks > 3", false}, Known{"nodes >= 5 or ranks > 2", true},
                                         Known{"backend == \"gloo\"", true}, Known{"backend == 'nccl'", false},
                                         Known{"'nccl' != backend", true}, Known{"view", true}, Known{"not view", false},
                                         Known{"view == false", false}, Known{"true", true}, Known{"(nodes > 1) == view", true},
                                         Known{"nodes / 8 == 0.5", true}, Known{"nodes % ranks == 1", true},
                                         Known{"-nodes % ranks == -1", true}, Known{"5.5 % 2 == 1.5", true},
                                         Known{"1e1 == 10 and .5 == 1/2", true}, Known{"  nodes==4\n\tand\r\nview  ", true}));

INSTANTIATE_TEST_SUITE_P(Precedence, KnownConstraint,
                         testing::Values(Known{"1 + 2 * 3 == 7", true}, Known{"(1 + 2) * 3 == 9", true},
                                         Known{"10 - 4 - 3 == 3", true}, Known{"24 / 4 / 2 == 3", true},
                                         Known{"24 / 4 * 2 == 12", true}, Known{"7 % 4 * 2 == 6", true},
                                         Known{"-2 * -3 == 6", true}, Known{"2 - -2 == 4", true}, Known{"--2 == 2", true},
                                         Known{"true or true and false", true}, Known{"(true or true) and false", false},
                                         Known{"not false and false", false}, Known{"not (false and false)", true},
                                         Known{"not nodes == 5", true}, Known{"not not view", true},
                                         Known{"nodes + 1 > ranks and ranks - 1 < nodes or false", true}));

TEST(Constraint, WhatStandsBehindADecidedOperatorIsNotLookedAt) {
  EXPECT_TRUE(holds("nodes == 4 or nodes / 0 > 1"));
  EXPECT_FALSE(holds("nodes == 5 and nodes % 0 == 1"));
  EXPECT_THAT(complaint("nodes % (ranks - 3) == 0"), HasSubstr("divides by zero (at character 7)"));
}

TEST(Constraint, ACopyOutlivesItsSource) {
  const std::string text = "backend == \"gl\"";
  auto original = std::make_unique<Constraint>(Constraint::parse(text, kNames));
  const Constraint copy = *original;
  original.reset();
  EXPECT_TRUE(copy.holds(std::vector<ConstraintValue>{{}, {}, {.text = "gl"}, {}}));
}

struct Wrong {
  const char* text;
  const char* complaint;
};

class WrongConstraint : public testing::TestWithParam<Wrong> {};
TEST_P(WrongConstraint, SaysWhatAndWhere) { EXPECT_THAT(complaint(GetParam().text), HasSubstr(GetParam().complaint)); }

INSTANTIATE_TEST_SUITE_P(
    Table, WrongConstraint,
    testing::Values(Wrong{"", "missing here (at character 1)"},
                    Wrong{"nodes", "a constraint needs a condition, this is a number"},
                    Wrong{"nodes <", "missing here (at character 8)\n    nodes <\n           ^"},
                    Wrong{"node < 3", "unknown axis 'node' (known: nodes, ranks, backend, view; did you mean 'nodes'?)"},
                    Wrong{"nodes < < 3", "(at character 9)\n    nodes < < 3\n            ^"},
                    Wrong{"nodes = 3", "write '==' to compare (at character 7)"},
                    Wrong{"view && view", "write 'and' (at character 6)"}, Wrong{"view || view", "write 'or'"},
                    Wrong{"!view", "write 'not'"}, Wrong{"1 < nodes < 5", "join them with 'and' (at character 11)"},
                    Wrong{"nodes == \"4\"", "'==' after a number needs a number, this is text (at character 10)"},
                    Wrong{"backend < \"nccl\"", "'<' needs a number, this is text (at character 1)"},
                    Wrong{"nodes and view", "'and' needs a condition, this is a number (at character 1)"},
                    Wrong{"not nodes", "'not' needs a condition, this is a number"},
                    Wrong{"-view == 1", "'-' needs a number, this is a condition"},
                    Wrong{"(nodes < 3", "')' is missing for the '(' at character 1 (at character 11)"},
                    Wrong{"nodes < 3)", "is expected here (at character 10)"}, Wrong{"nodes 3", "(at character 7)"},
                    Wrong{"backend == \"gloo", "this quote is not closed (at character 12)"},
                    Wrong{"nodes < 3x", "not a number (at character 9)"}, Wrong{"nodes < 1.2.3", "not a number"},
                    Wrong{"nodes < 1e999", "not a number"}, Wrong{"nodes < .", "not a number"},
                    Wrong{"nodes < inf", "unknown axis 'inf'"}, Wrong{"nodes @ 3", "no meaning here (legal: + - * / %"},
                    Wrong{"view == not view", "put 'not …' into parentheses"}, Wrong{"()", "missing here (at character 2)"},
                    Wrong{"backend == 'ü' and node",
                          "(at character 21)\n    backend == 'ü' and node\n                       ^"}));

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Constraint, HostileOnesCannotOverflowTheStack) {
  for (const char* opener : {"(", "-", "not ", "(not -", "1+(", "true and ("}) {
    const auto count = static_cast<int>(1'900 / std::string(opener).size());
    EXPECT_THAT(complaint(repeated(opener, count) + "1"), HasSubstr("nested more than 100 deep")) << opener;
  }
  EXPECT_THAT(complaint(repeated("(", 1'000'000)), HasSubstr("must be at most 2000"));
  EXPECT_TRUE(holds(repeated("(", 90) + "view" + repeated(")", 90)));
  EXPECT_TRUE(holds(repeated("1+", 900) + "1 == 901"));
}

}  // namespace
}  // namespace ddpbench
