#pragma once
#include <memory>

#include "harness/api/collective_way.hpp"
#include "harness/ranks/backends.hpp"
#include "suite/contract/collectives.hpp"

namespace ddpbench {

// Collective. The arm's own group of all ranks, apart from every other; `request` holds the launch's store and the options of its own backend.
// Throws CannotRun where this machine does not have it, UsageError where its tensors lie on another kind of device than the request's.
std::unique_ptr<CollectiveWay> make_collective_way(const CollectiveArm& arm, const BackendRequest& request);

}  // namespace ddpbench
