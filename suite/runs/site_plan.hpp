#pragma once
#include <vector>

#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// Returns what this build can do on a site's nodes. The site says what the nodes have; which GPUs this LibTorch has kernels for,
// and which arms this Python hosts, is asked here, of the same installation. Throws UsageError for a launcher that does not
// exist.
Availability availability_at(const Site& site, const Installation& installation, const Vocabulary& vocabulary,
                             const std::vector<ArmFacts>& arms);

}  // namespace ddpbench
