#pragma once
#include <cstdint>

namespace ddpbench {

// Returns after how many rounds each of `nodes` has met every other one.
std::int64_t rounds_of_partners(std::int64_t nodes);

// Returns whom `node` meets in a round (from 0), by the circle method of round-robin tournaments: in every round each node has
// one partner, who has it in turn. -1: none in this round, where the nodes are an odd number.
std::int64_t partner_of(std::int64_t node, std::int64_t round, std::int64_t nodes);

}  // namespace ddpbench
