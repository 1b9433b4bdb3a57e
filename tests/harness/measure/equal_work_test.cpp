#include "harness/measure/equal_work.hpp"

#include <gmock/gmock.h>

#include "harness/measure/snapshot.hpp"
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

class EqualWorkTest : public testing::Test {
 protected:
  EqualWorkTest() : training_(tiny_training("convnet_cifar10", "single", nullptr, RankInfo{})) {}

  std::map<std::string, std::string> wrong_with(std::function<at::Tensor(Session&, at::Tensor)> tamper) {
    auto arms = training_->make_arms({"raw"});
    arms.push_back({"suspect", std::make_unique<Tampering>(*training_->session, std::move(tamper))});
    return check_equal_work(*training_->session, arms, agreement_).wrong;
  }

  std::unique_ptr<TinyTraining> training_;
  AloneAgreement agreement_;
};

TEST_F(EqualWorkTest, EveryShippedArmDoesTheReferencesWork) {
  std::vector<std::string> names;
  for (const auto& entry : arms()) names.push_back(entry.name);
  const auto result = check_equal_work(*training_->session, training_->make_arms(names), agreement_);
  EXPECT_TRUE(result.wrong.empty()) << result.wrong.begin()->second;
  ASSERT_EQ(result.works.size(), names.size());
  EXPECT_EQ(result.works.front().losses.size(), 5U);
}

TEST_F(EqualWorkTest, LeavesTheTrainingWhereItStood) {
  const auto before = digest_of(training_->strategy->state());
  const auto position = training_->session->batches.position();
  check_equal_work(*training_->session, training_->make_arms({"raw", "trainer"}), agreement_);
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
