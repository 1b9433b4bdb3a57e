#include <algorithm>

#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"

namespace ddpbench {
namespace {

class Raw final : public Arm {
 public:
  Raw(Session& session, BlockConditions conditions) : session_(session), conditions_(conditions) {}
  at::Tensor step() override { return raw_step(session_); }
  BlockConditions conditions() const override { return conditions_; }

 private:
  Session& session_;
  BlockConditions conditions_;
};

}  // namespace

std::unique_ptr<Arm> make_raw(const ArmRequest& request) {
  const auto& features = request.features;
  if (std::find(features.begin(), features.end(), "graph") != features.end()) return make_raw_graph(request);
  return std::make_unique<Raw>(request.session, block_conditions(features));
}

std::unique_ptr<Arm> make_raw_again(const ArmRequest& request) {
  return std::make_unique<Raw>(request.session, BlockConditions{});
}

}  // namespace ddpbench
