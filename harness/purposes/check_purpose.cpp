#include "harness/launch/launch_training.hpp"
#include "harness/purposes/rank_purposes.hpp"

namespace ddpbench {
namespace {

// Looks whether the launch's arms do equal work. Times nothing.
class CheckPurpose final : public RankPurpose {
 public:
  explicit CheckPurpose(RankLaunch& launch) : training_(launch) {}

  void run(Outcome& outcome) override {
    training_.begin(outcome);
    training_.check_work(outcome);
    training_.end();
  }

 private:
  LaunchTraining training_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_check_purpose(RankLaunch& launch) { return std::make_unique<CheckPurpose>(launch); }

}  // namespace ddpbench
