#include "suite/launch/agents/agent_messages.hpp"

#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(AgentWords, AHelloIsReadAsItWasWritten) {
  const AgentHello hello{3, 4, 1, "node2", "fd00::2", 4711, {{{0, 0, 0}, {0, 0, 1}, {1, 6, 7}}, {1, -1}}};
  const auto read = hello_from(to_message(hello));
  EXPECT_EQ(read.rank, 3);
  EXPECT_EQ(read.world_size, 4);
  EXPECT_EQ(read.local_rank, 1);
  EXPECT_EQ(read.host, "node2");
  EXPECT_EQ(read.address, "fd00::2");
  EXPECT_EQ(read.port, 4711);
  EXPECT_EQ(read.layout.cores, hello.layout.cores);
  EXPECT_EQ(read.layout.gpu_memory, hello.layout.gpu_memory);
}

TEST(AgentWords, WhatIsStartedIsReadAsItWasWritten) {
  const AgentStart start{
      {"/opt/worker", "", "--arm=a b\n"}, {{"RANK", "3"}, {"EMPTY", ""}}, {4, 5}, "/work", "/p", "m", 0.25, 60};
  const auto read = start_from(to_message(start));
  EXPECT_EQ(read.tokens, start.tokens);
  EXPECT_EQ(read.environment, start.environment);
  EXPECT_EQ(read.cores, start.cores);
  EXPECT_EQ(read.folder, "/work");
  EXPECT_EQ(read.part_dir, "/p");
  EXPECT_EQ(read.mark, "m");
  EXPECT_EQ(read.look_seconds, 0.25);
  EXPECT_EQ(read.patience_seconds, 60);
}

TEST(AgentWords, ASightIsReadAsItWasWritten) {
  const ProcessActivity activity{
      true,    true, 1.5, 12, 4096, 7, 3, Phase::kBackward, StartUp::kPreparing, 600000, 58, 1152, CollectiveKind::kBroadcast,
      "py_raw"};
  const auto read = activity_from(to_message(activity));
  EXPECT_TRUE(read.runs && read.is_stopped);
  EXPECT_EQ(read.cpu_seconds, 1.5);
  EXPECT_EQ(read.page_faults, 12);
  EXPECT_EQ(read.bytes_read, 4096);
  EXPECT_EQ(read.phase_changes, 7);
  EXPECT_EQ(read.super_blocks, 3);
  EXPECT_EQ(read.phase, Phase::kBackward);
  EXPECT_EQ(read.start_up, StartUp::kPreparing);
  EXPECT_EQ(read.waits_ms, 600000);
  EXPECT_EQ(read.collectives, 58);
  EXPECT_EQ(read.collective_bytes, 1152);
  EXPECT_EQ(read.collective, CollectiveKind::kBroadcast);
  EXPECT_EQ(read.arm, "py_raw");
}

TEST(AgentWords, WhatIsNoMessageOfOursIsRefused) {
  auto hello = to_message(AgentHello{});
  auto longer = hello;
  longer.emplace_back("more");
  for (const auto& words : {Words{}, Words{"x"}, longer, Words(hello.begin(), hello.end() - 1)}) {
    EXPECT_THROW(hello_from(words), Error);
    EXPECT_THROW(start_from(words), Error);
    EXPECT_THROW(activity_from(words), Error);
  }
  EXPECT_THROW(start_from({"18446744073709551615", "a"}), Error) << "a length that nobody has";
}

}  // namespace
}  // namespace ddpbench
