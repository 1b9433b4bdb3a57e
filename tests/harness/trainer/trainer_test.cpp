#include "harness/trainer/trainer.hpp"

#include <gtest/gtest.h>

#include <map>

#include "suite/base/errors.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

using Trace = std::vector<std::string>;

// Writes down every hook that is called, in order.
template <class Base>
class TracingCallback : public Base {
 public:
  TracingCallback(std::string name, Trace& trace) : name_(std::move(name)), trace_(trace) {}
  void on_train_epoch_start() override { say("on_train_epoch_start"); }
  void on_train_epoch_end() override { say("on_train_epoch_end"); }
  void on_train_batch_start(const Batch&, std::int64_t index) override { say("on_train_batch_start " + std::to_string(index)); }
  void on_train_batch_end(const at::Tensor&, const Batch&, std::int64_t) override { say("on_train_batch_end"); }
  void on_before_zero_grad() override { say("on_before_zero_grad"); }
  void on_before_backward(const at::Tensor&) override { say("on_before_backward"); }
  void on_after_backward() override { say("on_after_backward"); }
  void on_before_optimizer_step() override { say("on_before_optimizer_step"); }

 protected:
  void say(const std::string& hook) { trace_.push_back(name_ + "." + hook); }

 private:
  std::string name_;
  Trace& trace_;
};

class TracingModule final : public TracingCallback<ModuleHooks> {
 public:
  using TracingCallback::TracingCallback;
  Batch on_before_batch_transfer(Batch batch) override {
    say("on_before_batch_transfer");
    return batch;
  }
  Batch on_after_batch_transfer(Batch batch) override {
    say("on_after_batch_transfer");
    return batch;
  }
  Batch transfer_batch_to_device(Batch batch, const Session& session) override {
    say("transfer_batch_to_device");
    return ModuleHooks::transfer_batch_to_device(std::move(batch), session);
  }
  void configure_gradient_clipping() override { say("configure_gradient_clipping"); }
  void optimizer_step() override { say("optimizer_step"); }
  void optimizer_zero_grad() override { say("optimizer_zero_grad"); }
};

class TracingStrategyHooks final : public StrategyHooks {
 public:
  explicit TracingStrategyHooks(Trace& trace) : trace_(trace) {}
  void batch_to_device() override { trace_.push_back("strategy.batch_to_device"); }
  void on_train_batch_start() override { trace_.push_back("strategy.on_train_batch_start"); }
  void training_step() override { trace_.push_back("strategy.training_step"); }
  void backward() override { trace_.push_back("strategy.backward"); }

 private:
  Trace& trace_;
};

// Three batches an epoch.
class ShortCursor final : public BatchCursor {
 public:
  Batch next() override {
    ++position_;
    return {torch::ones({2, 3, 32, 32}), torch::tensor({0, 1})};
  }
  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override { return 3; }

 private:
  std::int64_t position_ = 0;
};

class TrainerTest : public testing::Test {
 protected:
  TrainerTest() : training_(tiny_training("null", "single", nullptr, RankInfo{})) {}

  std::unique_ptr<Trainer> make(TrainerFeatures features, std::int64_t epochs) {
    cursor_ = ShortCursor();
    session_ = std::make_unique<Session>(
        Session{*training_->strategy, *training_->precision, training_->recipe.loss, cursor_, training_->timer});
    auto trainer = std::make_unique<Trainer>(*session_, features, epochs);
    trainer->add_callback(std::make_unique<TracingCallback<Callback>>("callback", trace_));
    trainer->set_module_hooks(std::make_unique<TracingModule>("module", trace_));
    trainer->set_strategy_hooks(std::make_unique<TracingStrategyHooks>(trace_));
    return trainer;
  }

  std::map<std::string, int> calls_of_one_step(TrainerFeatures features) {
    auto trainer = make(features, 1);
    trainer->advance();  // the epoch's head
    trace_.clear();
    trainer->advance();
    std::map<std::string, int> calls;
    for (const auto& call : trace_) ++calls[call.substr(0, call.find('.'))];
    return calls;
  }

  std::unique_ptr<TinyTraining> training_;
  ShortCursor cursor_;
  std::unique_ptr<Session> session_;
  Trace trace_;
};

constexpr TrainerFeatures kAll{true, true, true};

TEST_F(TrainerTest, FitAndStepwiseAdvanceMakeTheSameCalls) {
  make(kAll, 2)->fit();
  const auto fitted = std::exchange(trace_, {});
  auto trainer = make(kAll, 2);
  while (!trainer->done()) trainer->advance();
  EXPECT_EQ(trace_, fitted);
  EXPECT_FALSE(fitted.empty());
}

TEST_F(TrainerTest, AnEpochHasItsHeadAndTail) {
  auto trainer = make({}, 1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(trainer->done());
    trainer->advance();
  }
  EXPECT_TRUE(trainer->done());
  EXPECT_EQ(trace_, (Trace{"callback.on_train_epoch_start", "module.on_train_epoch_start", "callback.on_train_epoch_end",
                           "module.on_train_epoch_end"}));
}

// Lightning 2.6.6 calls 6 callback, 12 module and 4 strategy hooks a step; three of the 12 are the transfer hooks, our rung `fetch`.
TEST_F(TrainerTest, RungsCallLightningsHooksAsOftenAsLightning) {
  EXPECT_EQ(calls_of_one_step({.loops = true, .fetch = true, .loss = true}),
            (std::map<std::string, int>{{"callback", 6}, {"module", 12}, {"strategy", 4}}));
  EXPECT_EQ(calls_of_one_step({.loops = true}), (std::map<std::string, int>{{"callback", 6}, {"module", 9}, {"strategy", 4}}));
  EXPECT_EQ(calls_of_one_step({.fetch = true}), (std::map<std::string, int>{{"module", 3}}));
  EXPECT_EQ(calls_of_one_step({}), (std::map<std::string, int>{}));
}

TEST_F(TrainerTest, CountsProgress) {
  auto trainer = make(kAll, 2);
  trainer->fit();
  for (const auto& progress : {trainer->progress().batch, trainer->progress().optimizer_step, trainer->progress().zero_grad}) {
    EXPECT_EQ(progress.ready, 6);
    EXPECT_EQ(progress.started, 6);
    EXPECT_EQ(progress.completed, 6);
  }
  EXPECT_EQ(trainer->epoch(), 2);
}

TEST_F(TrainerTest, TheLossRungDetachesAndTheOthersDoNot) {
  EXPECT_FALSE(make({.loss = true}, 1)->advance().requires_grad());
  EXPECT_TRUE(make({.loops = true}, 1)->advance().requires_grad());
}

TEST(TrainerFeatureNames, UnknownOnesNameTheKnown) {
  EXPECT_TRUE(trainer_features({"fetch"}).fetch);
  EXPECT_THROW(trainer_features({"turbo"}), UsageError);
}

TEST(DataFetcher, KnowsTheLastBatchOfAnEpoch) {
  ShortCursor cursor;
  DataFetcher fetcher(cursor);
  std::vector<bool> last;
  for (int i = 0; i < 6; ++i) {
    fetcher.next();
    last.push_back(fetcher.is_last_batch());
  }
  EXPECT_EQ(last, (std::vector<bool>{false, false, true, false, false, true}));
}

}  // namespace
}  // namespace ddpbench
