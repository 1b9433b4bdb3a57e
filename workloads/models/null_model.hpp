#pragma once
#include <memory>

#include "harness/api/model.hpp"

namespace ddpbench {

// One linear layer 3072 -> 10 on the flattened image: as little compute as a training step can have, so that what surrounds it
// shows. `matmuls` products of two 128 x 128 matrices in each forward lengthen the step and change nothing that is trained.
std::shared_ptr<Model> make_null_model(std::int64_t classes, std::int64_t matmuls = 0);

}  // namespace ddpbench
