#include "harness/measure/blocks/first_steps.hpp"

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kUpdates = 2;
constexpr std::int64_t kMostSkipped = 24;  // torch.amp.GradScaler begins at 2^16 and halves: by then it is far below 1

}  // namespace

void take_first_steps(const Session& session, Arm& arm, const std::function<void()>& after_each) {
  const auto skipped_before = session.skipped_steps;
  const auto skipped = [&] { return session.skipped_steps - skipped_before; };
  for (std::int64_t steps = 0; steps < kUpdates + skipped(); ++steps) {
    if (skipped() > kMostSkipped)
      throw Error("no gradient was finite in the first " + std::to_string(steps) +
                  " steps: the training diverges in this precision");
    arm.step();
    after_each();
  }
}

}  // namespace ddpbench
