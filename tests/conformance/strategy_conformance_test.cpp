#include <gtest/gtest.h>

#include <limits>

#include "harness/measure/checks/snapshot.hpp"
#include "harness/precision/grad_scaler.hpp"
#include "tests/support/spawn_ranks.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

constexpr std::chrono::milliseconds kTimeout{60'000};
constexpr std::int64_t kImagesPerRank = 2;

// Another batch at every position and rank; the images of all ranks in one where `ranks` spans them. A poisoned position holds an
// infinity on the last rank.
class VariedCursor final : public BatchCursor {
 public:
  VariedCursor(std::int64_t first_rank, std::int64_t ranks) : first_rank_(first_rank), ranks_(ranks) {}

  Batch next() override {
    std::vector<at::Tensor> inputs, targets;
    for (auto rank = first_rank_; rank < first_rank_ + ranks_; ++rank) {
      auto generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(1000 * position_ + rank));
      inputs.push_back(torch::randn({kImagesPerRank, 3, 32, 32}, generator));
      targets.push_back(torch::randint(10, {kImagesPerRank}, generator, at::kLong));
    }
    if (position_ == poisoned_) inputs.back().fill_(std::numeric_limits<float>::infinity());
    ++position_;
    return {at::cat(inputs), at::cat(targets)};
  }
  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override { return 1000; }
  void poison(std::int64_t position) { poisoned_ = position; }

 private:
  std::int64_t first_rank_, ranks_, position_ = 0, poisoned_ = -1;
};

// amp_fp16's scaler without its autocast, so that results can be compared closely.
class ScaledPrecision final : public Precision {
 public:
  at::Tensor scale(at::Tensor loss) override { return scaler_.scale(loss); }
  void unscale(Strategy& strategy) override { scaler_.unscale(strategy); }
  bool step(Strategy& strategy) override { return scaler_.step(strategy); }
  std::vector<at::Tensor> state() override { return scaler_.state(); }
  double scale_value() const { return scaler_.scale_value(); }

 private:
  GradScaler scaler_{{.initial_scale = 1024, .growth_interval = 3}, at::kCPU};
};

struct Combination {
  std::string accumulate, clip_norm;
  bool scaled;
  std::string name() const { return "accumulate " + accumulate + ", clip " + clip_norm + (scaled ? ", scaled" : ""); }
};

// One training of the small network under a strategy, with a cursor and a precision of its own.
class Trained {
 public:
  Trained(TinyRequest request, const Combination& combination, const VariedCursor& cursor) : cursor_(cursor) {
    request.workload = "convnet_cifar10";
    request.workload_options = {{"learning_rate", "0.05"}};
    request.strategy_options = {{"accumulate", combination.accumulate}, {"clip_norm", combination.clip_norm}};
    training_ = tiny_training(request);
    auto& precision = combination.scaled ? static_cast<Precision&>(scaled_) : plain_;
    session_ = std::make_unique<Session>(Session{*training_->strategy, precision, training_->recipe.loss, cursor_,
                                                 training_->timer, at::kCPU, training_->session->options});
    arm_ = make_raw({*session_, {}, 0});
  }

  void take_steps(int count) {
    for (int i = 0; i < count; ++i) arm_->step();
  }
  Session& session() { return *session_; }
  VariedCursor& cursor() { return cursor_; }
  double scale() const { return scaled_.scale_value(); }
  std::uint64_t digest() const { return digest_of(training_->strategy->state()); }
  std::vector<at::Tensor> parameters() const { return training_->recipe.model->parameters(); }

 private:
  VariedCursor cursor_;
  ScaledPrecision scaled_;
  Precision plain_;
  std::unique_ptr<TinyTraining> training_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Arm> arm_;
};

void require_close(const std::vector<at::Tensor>& ours, const std::vector<at::Tensor>& theirs, const std::string& what) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    require(torch::allclose(ours[i], theirs[i], 1e-4, 1e-6), what + ": parameter " + std::to_string(i) + " differs");
  }
}

// One strategy on one group, against what every strategy promises.
class Promises {
 public:
  Promises(std::string strategy, RankGroup& group, const RankInfo& info)
      : strategy_(std::move(strategy)), group_(group), info_(info) {}

  void hold(const Combination& combination) {
    const auto what = strategy_ + ", rank " + std::to_string(info_.rank) + ", " + combination.name();
    Trained trained({.workload = "", .strategy = strategy_, .group = &group_, .info = info_, .batch_size = kImagesPerRank},
                    combination, VariedCursor(info_.rank, 1));
    // Both begin with the two steps of tiny_training on its constant batch, which differs by rank: from here the same parameters.
    Trained alone({.workload = "", .batch_size = kImagesPerRank}, combination, VariedCursor(0, info_.world_size));
    make_alike(trained, alone);
    trained.take_steps(4);
    alone.take_steps(4);
    require_equal_replicas(trained.session().strategy, group_.control_channel());
    require_close(trained.parameters(), alone.parameters(), what + ", beside one process with all images");
    restores_from_its_snapshot(trained, what);
    if (combination.scaled) leaves_out_what_is_not_finite(trained, what);
  }

 private:
  static void make_alike(Trained& trained, Trained& alone) {
    const torch::NoGradGuard no_grad;
    const auto from = trained.session().strategy.replicated_state();
    const auto to = alone.session().strategy.replicated_state();
    require(from.size() == to.size(), "another number of state tensors than `single` has");
    for (std::size_t i = 0; i < to.size(); ++i) to[i].detach().copy_(from[i]);
  }

  static void restores_from_its_snapshot(Trained& trained, const std::string& what) {
    const Snapshot snapshot(trained.session());
    const auto before = trained.digest();
    trained.take_steps(2);
    const auto after = trained.digest();
    require(after != before, what + ": two steps changed nothing");
    snapshot.restore(trained.session());
    require(trained.digest() == before, what + ": a snapshot did not restore the state");
    trained.take_steps(2);
    require(trained.digest() == after, what + ": the same steps from the same snapshot gave another state");
  }

  // One rank's infinity: all ranks skip the same step, keep their parameters and halve the scale.
  void leaves_out_what_is_not_finite(Trained& trained, const std::string& what) {
    const auto scale = trained.scale();
    const auto before = digest_of(trained.parameters());
    if (info_.rank == info_.world_size - 1) trained.cursor().poison(trained.cursor().position());
    trained.take_steps(1);
    require(trained.session().skipped_steps == 1, what + ": the step was not left out");
    require(digest_of(trained.parameters()) == before, what + ": a step that was left out moved parameters");
    require(trained.scale() == scale / 2, what + ": the scale is " + std::to_string(trained.scale()));
    trained.take_steps(1);
    require(trained.session().skipped_steps == 1, what + ": the next step was left out too");
    require_equal_replicas(trained.session().strategy, group_.control_channel());
  }

  std::string strategy_;
  RankGroup& group_;
  const RankInfo& info_;
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : strategies()) all.push_back(entry.name);
  return all;
}

// Every strategy of the table: listed is tested.
class StrategyConformance : public testing::TestWithParam<std::string> {
 protected:
  void holds_on(int world_size) {
    const auto& entry = find_entry(strategies(), "strategy", GetParam());
    if (entry.max_world_size > 0 && world_size > entry.max_world_size) GTEST_SKIP() << GetParam() << " runs one rank";
    const auto failure = spawn_ranks(world_size, [](const RankInfo& info) {
      const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
      Promises promises(GetParam(), *group, info);
      for (const char* accumulate : {"1", "3"}) {
        for (const char* clip_norm : {"0", "0.5"}) {
          for (const bool scaled : {false, true}) promises.hold({accumulate, clip_norm, scaled});
        }
      }
      group->control_channel().leave();
    });
    EXPECT_EQ(failure, "");
  }
};
INSTANTIATE_TEST_SUITE_P(Table, StrategyConformance, testing::ValuesIn(names()),
                         [](const auto& strategy) { return strategy.param; });

TEST_P(StrategyConformance, KeepsItsPromisesOnOneRank) { holds_on(1); }
TEST_P(StrategyConformance, KeepsItsPromisesOnTwoRanks) { holds_on(2); }
TEST_P(StrategyConformance, KeepsItsPromisesOnThreeRanks) { holds_on(3); }

// Every precision of the table, every kind of loop: the same work, also where a step has several micro-batches and is clipped.
TEST(PrecisionConformance, ArmsDoEqualWorkInEveryPrecision) {
  const auto failure = spawn_ranks(2, [](const RankInfo& info) {
    const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
    for (const auto& precision : precisions()) {
      const auto training = tiny_training({.workload = "convnet_cifar10",
                                           .strategy = "ddp",
                                           .group = group.get(),
                                           .info = info,
                                           .precision = precision.name,
                                           .strategy_options = {{"accumulate", "2"}, {"clip_norm", "0.5"}}});
      const auto arms = training->make_arms({"raw", "raw_item", "trainer", "trainer-loss", "trainer-loops-fetch"});
      const auto result = check_equal_work(*training->session, arms, group->control_channel());
      for (const auto& [arm, reason] : result.wrong) require(false, precision.name + ", " + arm + ": " + reason);
    }
    group->control_channel().leave();
  });
  EXPECT_EQ(failure, "");
}

TEST(PrecisionConformance, AutocastCoversForwardAndNothingElse) {
  const auto training = tiny_training({.workload = "convnet_cifar10", .precision = "amp_bf16"});
  const auto batch = training->session->batches.next();
  const auto type = [&] { return training->strategy->forward(batch.input).scalar_type(); };
  EXPECT_EQ(type(), at::kFloat);
  {
    const ForwardScope forward(*training->precision);
    EXPECT_EQ(type(), at::kBFloat16);
    EXPECT_EQ(training->recipe.loss(training->strategy->forward(batch.input), batch.target).scalar_type(), at::kFloat);
  }
  EXPECT_EQ(type(), at::kFloat);
}

}  // namespace
}  // namespace ddpbench
