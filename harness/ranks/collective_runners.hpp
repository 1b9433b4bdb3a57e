#pragma once
#include <memory>

#include "harness/api/collective_runner.hpp"
#include "harness/ranks/backends.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {

// Makes an arm's own group of all ranks, apart from every other; `request` holds the launch's store and the options of its own
// backend. Collective. Throws CannotRun where this machine does not have it, UsageError where its tensors lie on another kind of
// device than the request's. For an arm that computes alone it does nothing.
std::unique_ptr<CollectiveRunner> make_collective_runner(const CollectiveArm& arm, const BackendRequest& request);

// Returns the group of an arm that is a backend as training calls it, for its DDP; null for others.
c10::intrusive_ptr<c10d::ProcessGroup> process_group_of(const CollectiveRunner& runner);

}  // namespace ddpbench
