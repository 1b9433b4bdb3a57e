#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"

namespace ddpbench {
namespace {

class RawItem final : public Arm {
 public:
  explicit RawItem(Session& session) : session_(session) {}
  at::Tensor step() override {
    auto loss = raw_step(session_);
    last_loss_ = loss.item<float>();
    return loss;
  }

 private:
  Session& session_;
  float last_loss_ = 0;
};

}  // namespace

std::unique_ptr<Arm> make_raw_item(const ArmRequest& request) { return std::make_unique<RawItem>(request.session); }

}  // namespace ddpbench
