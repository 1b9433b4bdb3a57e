#pragma once
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/plan/plan.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// Returns what ranks of this build can use on a site's nodes, by the site's file and by what is built: nobody has asked the
// nodes. `architectures`: those that this LibTorch has kernels for; empty: not known.
Availability site_availability(const Site& site, const Vocabulary& vocabulary, const std::vector<std::string>& architectures);

// Makes both say what a build would have that has what a site's GPUs need, where this one lacks it.
void suppose_built_for(const Site& site, Vocabulary& vocabulary, Availability& availability);

// Says what would be paid for in vain, and the words that change it, where the site has GPUs and no launch of the plan that can
// run there trains on them; else "".
std::string why_gpus_idle(const Site& site, const Plan& plan, const Vocabulary& vocabulary);

}  // namespace ddpbench
