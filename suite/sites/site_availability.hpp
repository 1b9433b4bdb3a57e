#pragma once
#include <string>
#include <vector>

#include "suite/contract/vocabulary.hpp"
#include "suite/plan/plan.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// What ranks of this build can use on a site's nodes, which nobody has asked: by the site's file and by what is built. `architectures`: those
// that this LibTorch has kernels for; empty: not known.
Availability site_availability(const Site& site, const Vocabulary& vocabulary, const std::vector<std::string>& architectures);

}  // namespace ddpbench
