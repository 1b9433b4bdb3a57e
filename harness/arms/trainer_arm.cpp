#include <limits>

#include "harness/arms/arms.hpp"
#include "harness/trainer/trainer.hpp"

namespace ddpbench {
namespace {

// The trainer, driven step by step by the block runner: the same advance() that fit() calls.
class TrainerArm final : public Arm {
 public:
  TrainerArm(Session& session, TrainerFeatures features) : trainer_(session, features, kNoEnd) {
    trainer_.add_callback(std::make_unique<Callback>());  // one callback that does nothing: its six calls are made
  }
  at::Tensor step() override { return trainer_.advance(); }

 private:
  static constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
  Trainer trainer_;
};

}  // namespace

std::unique_ptr<Arm> make_trainer(const ArmRequest& request) {
  return std::make_unique<TrainerArm>(request.session, trainer_features(request.features));
}

}  // namespace ddpbench
