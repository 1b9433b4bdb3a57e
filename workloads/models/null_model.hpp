#pragma once
#include <memory>

#include "harness/api/model.hpp"

namespace ddpbench {

// One linear layer 3072 -> 10 on the flattened image: as little compute as a training step can have, so that what surrounds it shows.
std::shared_ptr<Model> make_null_model(std::int64_t classes);

}  // namespace ddpbench
