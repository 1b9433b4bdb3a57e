#include "harness/measure/checks/equal_work.hpp"

#include <gmock/gmock.h>

#include "harness/measure/checks/snapshot.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

// raw, and then something that a loop must not do.
class Tampering final : public Arm {
 public:
  Tampering(Session& session, std::function<at::Tensor(Session&, at::Tensor)> tamper)
      : session_(session), raw_(make_raw({session, {}, 0})), tamper_(std::move(tamper)) {}
  at::Tensor step() override { return tamper_(session_, raw_->step()); }

 private:
  Session& session_;
  std::unique_ptr<Arm> raw_;
  std::function<at::Tensor(Session&, at::Tensor)> tamper_;
};

// raw on another training than the session's, as an arm with a replica of its own has it. Where it cheats, it has the session's batches but
// steps twice.
class OnOwnReplica final : public Arm, private Training {
 public:
  OnOwnReplica(Session& session, bool cheats)
      : replica_(tiny_training("convnet_cifar10", "single", nullptr, RankInfo{})), cheats_(cheats) {
    own_ = std::make_unique<Session>(
        Session{*replica_->strategy, *replica_->precision, replica_->recipe.loss, session.batches, timer_});
    raw_ = make_raw({*own_, {}, 0});
    for (int i = 0; i < 3; ++i) raw_->step();  // so that it stands elsewhere than the session's training
  }
  at::Tensor step() override {
    auto loss = raw_->step();
    if (cheats_) replica_->strategy->optimizer_step();
    return loss;
  }
  Training* own_training() override { return this; }
  std::vector<at::Tensor> state() override { return replica_->strategy->state(); }
  std::vector<at::Tensor> replicated_state() override { return replica_->strategy->replicated_state(); }

 private:
  std::unique_ptr<TinyTraining> replica_;
  bool cheats_;
  StepTimer timer_;
  std::unique_ptr<Session> own_;
  std::unique_ptr<Arm> raw_;
};

// raw on a training that holds its state in another form: it gives copies, and takes them back into its own.
class OnShards final : public Arm, private Training {
 public:
  explicit OnShards(Session& session) : inner_(session, false) {}
  at::Tensor step() override { return inner_.step(); }
  Training* own_training() override { return this; }
  std::vector<at::Tensor> state() override {
    std::vector<at::Tensor> gathered;
    for (const auto& tensor : inner_.own_training()->state()) gathered.push_back(tensor.detach().clone());
    return gathered;
  }
  std::vector<at::Tensor> replicated_state() override { return {}; }
  void take_state(std::span<const at::Tensor> kept) override {
    taken = true;
    inner_.own_training()->take_state(kept);
  }
  bool taken = false;

 private:
  OnOwnReplica inner_;
};

// The loss of a step, which it does not take.
class Idle final : public Arm {
 public:
  explicit Idle(Session& session) : session_(session) {}
  at::Tensor step() override {
    const torch::NoGradGuard no_grad;
    const auto batch = session_.batches.next();
    return session_.loss(session_.strategy.forward(batch.input), batch.target);
  }

 private:
  Session& session_;
};

class EqualWorkTest : public testing::Test {
 protected:
  EqualWorkTest() : training_(tiny_training("convnet_cifar10", "single", nullptr, RankInfo{})) {}

  std::map<std::string, std::string> wrong_with(std::function<at::Tensor(Session&, at::Tensor)> tamper) {
    return wrong_with(Equality::kBits, std::move(tamper));
  }

  std::map<std::string, std::string> wrong_with(Equality equality, std::function<at::Tensor(Session&, at::Tensor)> tamper) {
    auto arms = training_->make_arms({"raw"});
    arms.push_back({"suspect", std::make_unique<Tampering>(*training_->session, std::move(tamper))});
    arms.back().facts.equality = equality;
    return check_equal_work(*training_->session, arms, control_channel_).wrong;
  }

  std::unique_ptr<TinyTraining> training_;
  LoneControlChannel control_channel_;
};

TEST_F(EqualWorkTest, EveryShippedArmDoesTheReferencesWork) {
  std::vector<std::string> names;
  for (const auto& entry : arms()) names.push_back(entry.name);
  const auto result = check_equal_work(*training_->session, training_->make_arms(names), control_channel_);
  EXPECT_TRUE(result.wrong.empty()) << result.wrong.begin()->second;
  ASSERT_EQ(result.works.size(), names.size());
  EXPECT_EQ(result.works.front().losses.size(), 5U);
}

TEST_F(EqualWorkTest, LeavesTheTrainingWhereItStood) {
  const auto before = digest_of(training_->strategy->state());
  const auto position = training_->session->batches.position();
  check_equal_work(*training_->session, training_->make_arms({"raw", "trainer"}), control_channel_);
  EXPECT_EQ(digest_of(training_->strategy->state()), before);
  EXPECT_EQ(training_->session->batches.position(), position);
}

TEST_F(EqualWorkTest, FindsOneBitInOneParameter) {
  const auto wrong = wrong_with([](Session& session, at::Tensor loss) {
    const torch::NoGradGuard no_grad;
    auto* bits = reinterpret_cast<std::uint32_t*>(session.strategy.state().front().detach().mutable_data_ptr());
    if (session.batches.position() % 5 == 2) bits[0] ^= 1U;
    return loss;
  });
  ASSERT_EQ(wrong.count("suspect"), 1U);
  EXPECT_THAT(wrong.at("suspect"), HasSubstr("raw"));
}

TEST_F(EqualWorkTest, FindsAnotherLossAndNamesTheStep) {
  const auto wrong = wrong_with([](Session&, const at::Tensor& loss) { return loss * 1.5; });
  EXPECT_THAT(wrong.at("suspect"), HasSubstr("step 1"));
}

// A loss that is off by a share of it from the given step on, counted from 0, and parameters that are off by as much.
std::function<at::Tensor(Session&, at::Tensor)> off_by(double share, int from_step) {
  auto step = std::make_shared<int>(0);
  return [=](Session& session, const at::Tensor& loss) {
    const torch::NoGradGuard no_grad;
    const bool is_off = (*step)++ % 5 >= from_step;
    if (is_off) session.strategy.state().front().detach().mul_(1 + share);
    return is_off ? loss * (1 + share) : loss;
  };
}

TEST_F(EqualWorkTest, AnArmIsAsEqualAsItsFactsSay) {
  EXPECT_THAT(wrong_with(Equality::kBits, off_by(1e-6, 0)), testing::SizeIs(1));
  EXPECT_THAT(wrong_with(Equality::kRounding, off_by(1e-6, 0)), testing::IsEmpty());
  EXPECT_THAT(wrong_with(Equality::kRounding, off_by(1e-4, 0)).at("suspect"), HasSubstr("equal here means: rounding"));
  EXPECT_THAT(wrong_with(Equality::kLossy, off_by(1e-3, 0)), testing::IsEmpty());
  EXPECT_THAT(wrong_with(Equality::kLossy, off_by(0.1, 1)).at("suspect"), HasSubstr("step 2"));
  EXPECT_THAT(wrong_with(Equality::kLossy, off_by(0.1, 2)), testing::IsEmpty());
  EXPECT_THAT(wrong_with(Equality::kDrifts, off_by(0.1, 1)), testing::IsEmpty());
  EXPECT_THAT(wrong_with(Equality::kDrifts, off_by(1e-6, 0)).at("suspect"), HasSubstr("step 1"));
  EXPECT_THAT(wrong_with(Equality::kDrifts, [](Session&, const at::Tensor& loss) { return loss / 0.0; }), testing::SizeIs(1));
}

TEST_F(EqualWorkTest, AnArmThatTrainsNothingIsNobodysWork) {
  auto& session = *training_->session;
  auto arms = training_->make_arms({"raw"});
  arms.push_back({"suspect", std::make_unique<Idle>(session)});
  arms.back().facts.equality = Equality::kDrifts;
  EXPECT_THAT(check_equal_work(session, arms, control_channel_).wrong.at("suspect"), HasSubstr("changed nothing of its state"));
}

TEST_F(EqualWorkTest, ATrainingOfShardsGivesAndTakesItsStateWhole) {
  auto& session = *training_->session;
  auto arms = training_->make_arms({"raw"});
  auto sharded = std::make_unique<OnShards>(session);
  const auto& shards = *sharded;
  arms.push_back({"sharded", std::move(sharded)});
  EXPECT_THAT(check_equal_work(session, arms, control_channel_).wrong, testing::IsEmpty());
  EXPECT_TRUE(shards.taken);
  EXPECT_EQ(digest_of(training_of(session, *arms[1].arm).state()), digest_of(session.strategy.state()));
}

TEST_F(EqualWorkTest, FindsAnExtraBatch) {
  const auto wrong = wrong_with([](Session& session, at::Tensor loss) {
    const torch::NoGradGuard no_grad;
    session.strategy.optimizer_step();
    return loss;
  });
  EXPECT_EQ(wrong.count("suspect"), 1U);
}

TEST_F(EqualWorkTest, ALossThatIsNotFiniteIsNobodysWork) {
  const auto wrong = wrong_with([](Session&, const at::Tensor& loss) { return loss / 0.0; });
  EXPECT_THAT(wrong.at("suspect"), HasSubstr("inf"));
}

TEST_F(EqualWorkTest, AnArmsOwnReplicaStartsWhereTheFirstArmStandsAndIsLeftThere) {
  auto& session = *training_->session;
  auto arms = training_->make_arms({"raw", "trainer"});
  arms.push_back({"own", std::make_unique<OnOwnReplica>(session, false)});
  arms.push_back({"cheats", std::make_unique<OnOwnReplica>(session, true)});
  auto& own = training_of(session, *arms[2].arm);
  ASSERT_NE(digest_of(own.state()), digest_of(session.strategy.state()));

  const auto wrong = check_equal_work(session, arms, control_channel_).wrong;
  EXPECT_EQ(wrong.count("own"), 0U) << wrong.at("own");
  EXPECT_EQ(wrong.count("cheats"), 1U);
  EXPECT_EQ(digest_of(own.state()), digest_of(session.strategy.state()));
  EXPECT_EQ(drivers_of_trainings(arms), (std::vector<const NamedArm*>{arms.data(), &arms[2], &arms[3]}));
}

TEST_F(EqualWorkTest, ArmsOfAnotherWorkAreEqualAmongThemselves) {
  auto& session = *training_->session;
  const auto before = session.options;
  auto arms = training_->make_arms(
      {"raw", "raw+clip=0.01", "trainer+clip=0.01", "injected+clip=0.01", "raw+accumulate=2", "trainer+accumulate=2", "trainer"});
  const auto result = check_equal_work(session, arms, control_channel_);
  EXPECT_TRUE(result.wrong.empty()) << result.wrong.begin()->second;
  std::map<std::uint64_t, int> works;
  for (const auto& work : result.works) ++works[work.digest];
  EXPECT_THAT(works, testing::SizeIs(2));  // on constant data two micro-batches are one batch
  EXPECT_EQ(session.options.clip_norm, before.clip_norm);
  EXPECT_EQ(session.options.accumulate, before.accumulate);

  arms[2].facts.work = arms[4].facts.work;
  EXPECT_THAT(check_equal_work(session, arms, control_channel_).wrong.at("raw+accumulate=2"), HasSubstr("trainer+clip=0.01"));
}

TEST_F(EqualWorkTest, ATrainingOfOtherTensorsIsRefused) {
  auto other = tiny_training("null", "single", nullptr, RankInfo{});
  const Snapshot snapshot(*training_->session);
  try {
    snapshot.restore(*other->session);
    FAIL() << "a snapshot of another training was restored";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("other tensors"));
  }
}

TEST_F(EqualWorkTest, SnapshotRestoresGeneratorAndMomentum) {
  const Snapshot snapshot(*training_->session);
  const auto drawn = torch::rand({4});
  const auto before = digest_of(training_->strategy->state());
  training_->make_arms({"raw"}).front().arm->step();
  EXPECT_NE(digest_of(training_->strategy->state()), before);
  snapshot.restore(*training_->session);
  EXPECT_EQ(digest_of(training_->strategy->state()), before);
  EXPECT_TRUE(torch::equal(torch::rand({4}), drawn));
}

}  // namespace
}  // namespace ddpbench
