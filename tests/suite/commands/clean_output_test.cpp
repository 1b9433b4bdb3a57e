#include "suite/commands/clean_output.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace ddpbench {
namespace {

TEST(CleanOutput, WhatSteersATerminalIsShown) {
  std::ostringstream out;
  {
    const CleanOutput clean(out);
    out << "reason: \033]0;owned\007" << '\n' << "a\tb ±2 µs\n";
  }
  EXPECT_EQ(out.str(), "reason: ?]0;owned?\na\tb ±2 µs\n");
}

TEST(CleanOutput, ACharacterMayComeInParts) {
  std::ostringstream out;
  {
    const CleanOutput clean(out);
    for (const char c : std::string("µs")) out << c;
    out << " no newline";
  }
  EXPECT_EQ(out.str(), "µs no newline");
}

TEST(CleanOutput, AFlushPassesOnWhatIsThere) {
  std::ostringstream out;
  const CleanOutput clean(out);
  out << "begun" << std::flush;
  EXPECT_EQ(static_cast<std::stringbuf*>(CleanOutput::beneath(out))->str(), "begun");
}

TEST(CleanOutput, IsPassedByForWhoDrawsOnTheTerminal) {
  std::ostringstream out;
  EXPECT_EQ(CleanOutput::beneath(out), out.rdbuf());
  auto* const before = out.rdbuf();
  const CleanOutput clean(out);
  EXPECT_EQ(CleanOutput::beneath(out), before);
}

}  // namespace
}  // namespace ddpbench
