#include "suite/commands/exit_status.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

template <class Thrown>
ExitCode code_after(const Thrown& thrown, std::string* message = nullptr) {
  std::ostringstream messages;
  const auto code = guarded([&]() -> ExitCode { throw thrown; }, messages);
  if (message != nullptr) *message = messages.str();
  return code;
}

TEST(ExitStatus, MapsEveryKindOfError) {
  EXPECT_EQ(code_after(UsageError("x")), ExitCode::kUsage);
  EXPECT_EQ(code_after(CannotRun("x")), ExitCode::kCouldNotRun);
  EXPECT_EQ(code_after(StoppedError("x")), ExitCode::kStopped);
  EXPECT_EQ(code_after(Error("disk full")), ExitCode::kDoneWithFailures);
  EXPECT_EQ(code_after(std::runtime_error("x")), ExitCode::kCouldNotRun);
}

TEST(ExitStatus, SaysWhoSpeaksOnEveryLine) {
  std::string message;
  code_after(UsageError(std::vector<std::string>{"one", "two"}), &message);
  EXPECT_EQ(message, "ddpbench: one\nddpbench: two\n");
}

TEST(ExitStatus, RepeatsNoMoreThanALineCanHold) {
  std::string message;
  code_after(UsageError(std::string(100'000, 'x') + " is not a results folder"), &message);
  EXPECT_LT(message.size(), 3'200U);
  EXPECT_THAT(message, testing::StartsWith("ddpbench: xxxx"));
  EXPECT_THAT(message, testing::EndsWith("xxxx is not a results folder\n"));
  const std::string path(3'000, 'y');
  code_after(UsageError(path), &message);
  EXPECT_EQ(message, "ddpbench: " + path + "\n");
}

TEST(ExitStatus, PassesOnTheCodeOfWhatEnded) {
  std::ostringstream messages;
  EXPECT_EQ(guarded([] { return ExitCode::kNoVerdict; }, messages), ExitCode::kNoVerdict);
  EXPECT_EQ(messages.str(), "");
}

TEST(ExitStatus, WhatALibraryThrowsOfAPathIsTheCallersMistakeInWords) {
  std::string message;
  const std::filesystem::filesystem_error loop("canonical", "/a/b",
                                               std::make_error_code(std::errc::too_many_symbolic_link_levels));
  EXPECT_EQ(code_after(loop, &message), ExitCode::kUsage);
  EXPECT_EQ(message, "ddpbench: /a/b cannot be used: Too many levels of symbolic links\n");
  EXPECT_EQ(code_after(std::bad_alloc(), &message), ExitCode::kCouldNotRun);
  EXPECT_EQ(message, "ddpbench: out of memory\n");
  std::ostringstream messages;
  EXPECT_EQ(
      guarded([]() -> ExitCode { return nlohmann::json(3).at("a").is_null() ? ExitCode::kDone : ExitCode::kDone; }, messages),
      ExitCode::kUsage);
  EXPECT_THAT(messages.str(), testing::Not(testing::HasSubstr("json.exception")));
}

}  // namespace
}  // namespace ddpbench
