#include "harness/purposes/collectives/collective_check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ddpbench {
namespace {

// Every rank's message, filled; the collective itself is done by hand.
std::vector<CollectiveMessage> filled(Collective kind, std::int64_t bytes, std::int64_t ranks) {
  std::vector<CollectiveMessage> messages;
  for (std::int64_t rank = 0; rank < ranks; ++rank) messages.emplace_back(kind, bytes, rank, ranks, at::kCPU).fill();
  return messages;
}

void expect_wrong_until(std::vector<CollectiveMessage>& messages, const std::function<void()>& collective) {
  std::int64_t wrong = 0;
  for (const auto& message : messages) wrong += message.wrong_elements();
  EXPECT_GT(wrong, 0) << "nothing was exchanged yet";
  collective();
  for (const auto& message : messages) EXPECT_EQ(message.wrong_elements(), 0);
  auto& spoilt = messages.back().buffers();
  auto& result = spoilt.output.defined() ? spoilt.output : spoilt.input;
  result[result.numel() - 1] += 1;
  EXPECT_EQ(messages.back().wrong_elements(), 1);
}

std::vector<at::Tensor> inputs_of(std::vector<CollectiveMessage>& messages) {
  std::vector<at::Tensor> inputs;
  for (auto& message : messages) inputs.push_back(message.buffers().input);
  return inputs;
}

TEST(CollectiveCheck, KnowsTheResultOfEachCollective) {
  constexpr std::int64_t kRanks = 3, kBytes = 1000;
  auto sums = filled(Collective::kAllReduce, kBytes, kRanks);
  expect_wrong_until(sums, [&] {
    const auto sum = at::stack(inputs_of(sums)).sum(0);
    for (auto& message : sums) message.buffers().input.copy_(sum);
  });
  auto copies = filled(Collective::kBroadcast, kBytes, kRanks);
  expect_wrong_until(copies, [&] {
    for (auto& message : copies) message.buffers().input.copy_(copies.front().buffers().input);
  });
  auto gathers = filled(Collective::kAllGather, kBytes, kRanks);
  expect_wrong_until(gathers, [&] {
    for (auto& message : gathers) message.buffers().output.copy_(at::cat(inputs_of(gathers)));
  });
  auto scatters = filled(Collective::kReduceScatter, kBytes, kRanks);
  expect_wrong_until(scatters, [&] {
    const auto parts = at::stack(inputs_of(scatters)).sum(0).chunk(kRanks);
    for (std::size_t rank = 0; rank < kRanks; ++rank) scatters[rank].buffers().output.copy_(parts[rank]);
  });
  auto swaps = filled(Collective::kAllToAll, kBytes, kRanks);
  expect_wrong_until(swaps, [&] {
    for (std::size_t to = 0; to < kRanks; ++to) {
      std::vector<at::Tensor> parts;
      for (const auto& input : inputs_of(swaps)) parts.push_back(input.chunk(kRanks)[to]);
      swaps[to].buffers().output.copy_(at::cat(parts));
    }
  });
}

TEST(CollectiveCheck, ASizeIsWhatTheRanksCanShareOutEvenly) {
  EXPECT_EQ(CollectiveMessage(Collective::kAllGather, 1000, 0, 3, at::kCPU).bytes(), 996);
  EXPECT_EQ(CollectiveMessage(Collective::kAllReduce, 1000, 0, 3, at::kCPU).bytes(), 1000);
  EXPECT_TRUE(CollectiveMessage(Collective::kAllToAll, 8, 0, 3, at::kCPU).is_too_small());
  EXPECT_FALSE(CollectiveMessage(Collective::kBarrier, 0, 0, 3, at::kCPU).is_too_small());
}

}  // namespace
}  // namespace ddpbench
