#include <gtest/gtest.h>

#include "harness/measure/checks/snapshot.hpp"
#include "harness/strategies/reducer_strategy.hpp"
#include "tests/support/spawn_ranks.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

constexpr std::chrono::milliseconds kTimeout{60'000};

// Ranks see different samples (the constant cursor is seeded by rank), so equal parameters mean that gradients were averaged.
void stay_equal_over_50_steps(const RankInfo& info) {
  const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
  const auto training = tiny_training("resnet18_cifar10", "ddp", group.get(), info);
  const auto arm = std::move(training->make_arms({"raw"}).front().arm);
  const auto before = digest_of(training->strategy->state());
  for (int step = 0; step < 50; ++step) arm->step();
  require(digest_of(training->strategy->state()) != before, "50 steps changed nothing");
  require_equal_replicas(*training->strategy, group->control_channel());
  group->control_channel().leave();
}

TEST(Replicas, TwoRanksStayBitForBitEqualOver50StepsOfResNet18) { EXPECT_EQ(spawn_ranks(2, stay_equal_over_50_steps, 300), ""); }
TEST(Replicas, ThreeRanksToo) { EXPECT_EQ(spawn_ranks(3, stay_equal_over_50_steps, 300), ""); }

void arms_do_equal_work(const RankInfo& info) {
  const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
  const auto training = tiny_training("resnet18_cifar10", "ddp", group.get(), info);
  const auto arms =
      training->make_arms({"raw", "raw_again", "raw_item", "injected", "trainer", "trainer-loss-fetch", "trainer-loops"});
  const auto result = check_equal_work(*training->session, arms, group->control_channel());
  for (const auto& [arm, reason] : result.wrong) require(false, arm + ": " + reason);
  require(result.works.size() == arms.size(), "an arm is missing");
  group->control_channel().leave();
}

TEST(EqualWork, ArmsOfTwoRanksFromOneSnapshotAreBitForBitEqual) { EXPECT_EQ(spawn_ranks(2, arms_do_equal_work, 300), ""); }
TEST(EqualWork, ThreeRanksToo) { EXPECT_EQ(spawn_ranks(3, arms_do_equal_work, 300), ""); }

// One rank alone moves a parameter: every rank must hear of it.
void a_drifting_rank_is_found(const RankInfo& info) {
  const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
  const auto training = tiny_training("null", "ddp", group.get(), info);
  if (info.rank == 1) {
    const torch::NoGradGuard no_grad;
    training->recipe.model->parameters().front().add_(1e-3);
  }
  const auto result = check_equal_work(*training->session, training->make_arms({"raw"}), group->control_channel());
  require(result.wrong.count("raw") == 1, "nobody noticed");
  require(result.wrong.at("raw").find("rank 1") != std::string::npos, result.wrong.at("raw"));
  group->control_channel().leave();
}

TEST(EqualWork, ARankWithOtherParametersIsFoundOnAllRanks) { EXPECT_EQ(spawn_ranks(2, a_drifting_rank_is_found), ""); }

// Gradients of two ranks, averaged, are those of one process on both batches (BatchNorm apart: null has none).
TEST(Ddp, AveragesGradientsOverRanks) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    const auto training = tiny_training("null", "ddp", group.get(), info);
    auto& session = *training->session;
    session.strategy.zero_grad();
    const auto batch = session.batches.next();
    session.strategy.backward(session.loss(session.strategy.forward(batch.input), batch.target));
    const auto averaged = session.strategy.gradients().front().clone();
    training->recipe.model->zero_grad();
    session.loss(training->recipe.model->forward(batch.input), batch.target).backward();  // Reducer is not armed: local only
    std::vector<at::Tensor> sum{training->recipe.model->parameters().front().grad().clone()};
    group->process_group()->allreduce(sum)->wait();
    require(torch::allclose(averaged, sum.front() / 2, 1e-6, 1e-8), "not the mean of the ranks' gradients");
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

// Gradients travel in half precision: an all-reduce of the bucket's halved copy, whose result Reducer copies back.
class HalfPrecision final : public c10d::CommHookInterface {
 public:
  explicit HalfPrecision(c10::intrusive_ptr<c10d::ProcessGroup> group) : group_(std::move(group)) {}
  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    std::vector<at::Tensor> tensors{(bucket.getBufferRef() / group_->getSize()).to(at::kHalf)};
    return group_->allreduce(tensors)->getFuture();
  }
  at::Tensor parseHookResult(const c10::IValue& result) override { return result.toTensorVector().front().to(at::kFloat); }

 private:
  c10::intrusive_ptr<c10d::ProcessGroup> group_;
};

// Another strategy that Reducer drives is its hook and this, and a line of the table.
std::unique_ptr<Strategy> make_half_precision(const StrategyRequest& request) {
  return std::make_unique<ReducerStrategy>(request.process_group, reducer_options_from(request.options),
                                           std::make_unique<HalfPrecision>(request.process_group));
}

std::int64_t bytes_in(CollectiveLog& log) {
  std::int64_t bytes = 0;
  for (const auto& record : log.records(0, log.size())) bytes += record.bytes;
  return bytes;
}

TEST(ReducerStrategy, TakesAnotherHookAndKeepsReplicasEqual) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    const auto ddp = tiny_training("convnet_cifar10", "ddp", group.get(), info);
    const auto strategy =
        make_half_precision({options_of(find_entry(strategies(), "strategy", "ddp").options, {}), group->process_group()});
    strategy->set_up(ddp->recipe);
    Session session{*strategy, *ddp->precision, ddp->recipe.loss, *ddp->recipe.batches, ddp->timer};
    const auto arm = make_raw({session, {}, 0});
    std::int64_t parameters = 0;
    for (const auto& parameter : ddp->recipe.model->parameters()) parameters += parameter.numel();
    for (int step = 0; step < 3; ++step) {
      group->log().clear();
      arm->step();
    }
    require(bytes_in(group->log()) == 2 * parameters, std::to_string(bytes_in(group->log())) + " bytes went over the network");
    require_equal_replicas(*strategy, group->control_channel());
    group->leave();
  });
  EXPECT_EQ(failure, "");
}

// State that a strategy calls replicated is compared, and only that.
TEST(ReplicatedState, IsCheckedWhereverAStrategyHasSome) {
  class PartlyReplicated final : public Strategy {
   public:
    explicit PartlyReplicated(std::vector<at::Tensor> replicated) : replicated_(std::move(replicated)) {}
    void set_up(Recipe& /*recipe*/) override {}
    void zero_grad() override {}
    at::Tensor forward(const at::Tensor& input) override { return input; }
    void backward(const at::Tensor& /*loss*/) override {}
    void optimizer_step() override {}
    std::vector<at::Tensor> gradients() override { return {}; }
    std::vector<at::Tensor> state() override { return replicated_; }
    std::vector<at::Tensor> replicated_state() override { return replicated_; }

   private:
    std::vector<at::Tensor> replicated_;
  };
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    PartlyReplicated none({}), equal({torch::ones({3})}), unequal({torch::full({3}, static_cast<double>(info.rank))});
    require_equal_replicas(none, group->control_channel());
    require_equal_replicas(equal, group->control_channel());
    std::string said;
    try {
      require_equal_replicas(unequal, group->control_channel());
    } catch (const std::exception& error) {
      said = error.what();
    }
    require(said.find("rank 1") != std::string::npos, "said: " + said);
    group->leave();
  });
  EXPECT_EQ(failure, "");
}

}  // namespace
}  // namespace ddpbench
