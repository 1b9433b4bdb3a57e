#include "harness/ranks/observing_backend.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/api/torch.hpp"
#include "harness/measure/blocks/block_runner.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/rank_group.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/spawn_ranks.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

constexpr std::chrono::milliseconds kTimeout{120'000};

void allreduce_once(RankGroup& group, at::Tensor& tensor) {
  std::vector<at::Tensor> tensors{tensor};
  group.process_group()->allreduce(tensors)->wait();
}

TEST(ObservingBackend, PassesCollectivesOnAndWritesThemDown) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    auto tensor = torch::full({25}, static_cast<double>(info.rank + 1));
    own_heartbeat().enter(Phase::kWrapper);
    allreduce_once(*group, tensor);
    own_heartbeat().enter(Phase::kOther);
    require(tensor[7].item<float>() == 3, "the sum of ranks 1 and 2 is not 3");
    require(group->log().size() == 1, "one collective, another count");
    const auto& record = group->log().records(0, 1)[0];
    require(record.kind == CollectiveKind::kAllreduce && record.bytes == 100, "kind or bytes");
    require(record.issued_ns > 0 && record.returned.wall_ns >= record.issued_ns && record.waited_ns > 0,
            "stamps of issue and wait");
    require(record.waited_in == Phase::kWrapper, "the phase of the wait");
    group->log().clear();  // returns once the completion stamp is there
    require(record.completed_ns.load() >= record.issued_ns, "stamp of completion");
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

// What awaited time is made of: of the main thread where it issues and waits, of the backend's threads where it completes.
TEST(ObservingBackend, WritesRunDelaysDownWhereTheyAreRead) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    group->log().take_delays(RunDelays::of_steps());
    group->log().read_delays(true);
    const auto& delays = group->log().delays();
    auto tensor = torch::ones({25});
    allreduce_once(*group, tensor);
    const auto& record = group->log().records(0, 1)[0];
    require(record.root == CollectiveRecord::kNoRoot, "an all-reduce has no root");
    require(record.wait_begin.wall_ns >= record.returned.wall_ns && record.wait_begin.delay_ns >= record.returned.delay_ns,
            "the wait begins behind the issue");
    require(completion_of(record) > 0 && record.main_delay_ns >= record.returned.delay_ns, "delay at completion");
    require(delays.main_ns() >= record.main_delay_ns && delays.others_ns() >= record.others_delay_ns, "delays only grow");
    std::vector<at::Tensor> tensors{tensor};
    c10d::BroadcastOptions from_rank1;
    from_rank1.rootRank = 1;
    group->process_group()->broadcast(tensors, from_rank1)->wait();
    require(group->log().records(1, 2)[0].root == 1, "the root of the broadcast");
    own_heartbeat().enter(Phase::kOptimizer);
    group->process_group()->monitoredBarrier({}, true);
    own_heartbeat().enter(Phase::kOther);
    require(group->log().records(2, 3)[0].waited_in == Phase::kOptimizer, "the phase of a barrier without a Work");
    group->log().clear();
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

// The first step may take long, those after it may not.
TEST(ObservingBackend, WaitsForPeersAsLongAsItWasToldLast) {
  if (!requires(c10d::Backend & backend) { backend.setTimeout(kTimeout); }) GTEST_SKIP() << "this LibTorch cannot change it";
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    auto tensor = torch::ones({25});
    allreduce_once(*group, tensor);
    group->wait_at_most(std::chrono::milliseconds(100));
    group->store()->setTimeout(kTimeout);
    if (info.rank == 1) {
      group->store()->wait({"given up"}, kTimeout);
      return;
    }
    std::string words;
    try {
      allreduce_once(*group, tensor);
    } catch (const std::exception& error) {
      words = error.what();
    }
    require(words.find("100ms") != std::string::npos, "it gave up with: " + words);
    group->store()->set("given up", std::vector<std::uint8_t>{});
  });
  EXPECT_EQ(failure, "");
}

TEST(ObservingBackend, BroadcastsAndBarriersAreSeenToo) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    std::vector<at::Tensor> tensors{torch::full({2}, static_cast<double>(info.rank))};
    group->process_group()->broadcast(tensors)->wait();
    require(tensors[0][1].item<float>() == 0, "not rank 0's value");
    group->process_group()->barrier()->wait();
    require(group->log().size() == 2, "two collectives, another count");
    require(group->log().records(0, 2)[0].kind == CollectiveKind::kBroadcast, "not a broadcast");
    require(group->log().records(0, 2)[1].kind == CollectiveKind::kBarrier, "not a barrier");
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

TEST(StoreControlChannel, EveryRankGetsEveryWord) {
  const auto failure = spawn_ranks(3, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    for (int call = 0; call < 5; ++call) {
      const auto words = group->control_channel().all_gather("call " + std::to_string(call) + " of " + std::to_string(info.rank));
      require(words.size() == 3 && words[2] == "call " + std::to_string(call) + " of 2", "all_gather");
    }
    for (int call = 0; call < 5; ++call) {
      const auto number = [&](std::int64_t rank) { return std::to_string(call) + " of " + std::to_string(rank); };
      const auto joined = [](const std::vector<std::string>& words) { return words[0] + ", " + words[1] + ", " + words[2]; };
      require(group->control_channel().from_rank0(number(info.rank), joined) == number(0) + ", " + number(1) + ", " + number(2),
              "from_rank0");
    }
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

TEST(StoreControlChannel, APeerThatLeavesIsNoticedAtOnceWithItsReason) {
  const auto failure = spawn_ranks(
      2,
      [](const RankInfo& info) {
        const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
        if (info.rank == 1) {
          group->control_channel().abandon("out of memory");
          return;
        }
        std::string said;
        try {
          group->control_channel().all_gather("");
        } catch (const std::exception& error) {
          said = error.what();
        }
        require(said.find("out of memory") != std::string::npos, "rank 0 heard: " + said);
      },
      60);
  EXPECT_EQ(failure, "");
}

TEST(IdealNetwork, ItsBlocksLeaveTheTrainingAsItWas) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    const auto training = tiny_training("convnet_cifar10", "ddp", group.get(), info);
    training->session->network = &group->network();
    auto& strategy = *training->strategy;
    LaunchSpec spec;
    spec.arms = {"raw+ideal"};
    spec.protocol.max_seconds_per_launch = 0;
    spec.protocol.min_super_blocks = 2;
    auto arms = training->make_arms(spec.arms);
    const ScratchFolder folder;
    PartWriter writer(folder.path(), info.rank);
    const auto before = digest_of(strategy.state());
    BlockRunner({spec, info.rank, *training->session, arms, group->log(), group->control_channel(), writer}).run();
    require(digest_of(strategy.state()) == before, "the state is another one");
    training->make_arms({"raw"}).front().arm->step();
    require(digest_of(strategy.state()) != before, "the training stands still");
    require_equal_replicas(strategy, group->control_channel());
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

TEST(IdealNetwork, DropsCollectivesAndStampsThemAllTheSame) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    std::vector<at::Tensor> tensors{torch::full({4}, static_cast<double>(info.rank))};
    group->network().make_ideal(true);
    group->process_group()->allreduce(tensors)->wait();
    require(tensors[0][0].item<float>() == static_cast<float>(info.rank), "a sum over the ideal network");
    group->network().make_ideal(false);
    group->process_group()->allreduce(tensors)->wait();
    require(tensors[0][0].item<float>() == 1, "no sum over the real one");
    require(group->log().size() == 2, "both are in the log");
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

TEST(RankGroup, AnUnknownOrUnbuiltBackendIsTheCallersMistake) {
  const auto failure = spawn_ranks(1, [](const RankInfo& info) {
    std::vector<std::string> names{"smoke-signals"};
    for (const auto& entry : backends()) {
      if (!entry.why_not_built.empty()) names.push_back(entry.name);
    }
    for (const auto& name : names) {
      std::string said;
      try {
        RankGroup::rendezvous(info, name, kTimeout);
      } catch (const std::exception& error) {
        said = error.what();
      }
      require(said.find(name) != std::string::npos, "said: " + said);
    }
  });
  EXPECT_EQ(failure, "");
}

}  // namespace
}  // namespace ddpbench
