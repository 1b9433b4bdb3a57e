#pragma once
#include <functional>

#include "harness/api/arm.hpp"
#include "harness/api/session.hpp"

namespace ddpbench {

// Takes the first steps of the training that `arm` drives, until two of them made an update: momentum exists with the first one,
// and Reducer lays its buckets out anew after it, so that a snapshot taken now holds all that later ones do. Mostly two steps; a
// gradient scaler that begins too high skips updates until it has come down, on all ranks alike. Calls `after_each` behind every
// step. Throws Error where the scaler has come down to nothing and no step had finite gradients.
void take_first_steps(const Session& session, Arm& arm, const std::function<void()>& after_each);

}  // namespace ddpbench
