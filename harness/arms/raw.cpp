#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"

namespace ddpbench {
namespace {

class Raw final : public Arm {
 public:
  explicit Raw(Session& session) : session_(session) {}
  at::Tensor step() override { return raw_step(session_); }

 private:
  Session& session_;
};

}  // namespace

std::unique_ptr<Arm> make_raw(const ArmRequest& request) {
  if (!request.features.empty()) return make_raw_graph(request);
  return std::make_unique<Raw>(request.session);
}

}  // namespace ddpbench
