#include "harness/purposes/rank_purposes.hpp"

#include <array>

#include "suite/contract/launch/purposes.hpp"

namespace ddpbench {

// What the table's lines name; each is defined in NAME_purpose.cpp, here or in a folder of its name.
std::unique_ptr<RankPurpose> make_time_purpose(RankLaunch& launch);
std::unique_ptr<RankPurpose> make_memory_purpose(RankLaunch& launch);
std::unique_ptr<RankPurpose> make_training_purpose(RankLaunch& launch);
std::unique_ptr<RankPurpose> make_profile_purpose(RankLaunch& launch);
std::unique_ptr<RankPurpose> make_check_purpose(RankLaunch& launch);
std::unique_ptr<RankPurpose> make_nodes_purpose(RankLaunch& launch);
std::unique_ptr<RankPurpose> make_collectives_purpose(RankLaunch& launch);

std::span<const RankPurposeEntry> rank_purposes() {
  static constexpr std::array kTable{
      RankPurposeEntry{purpose::kTime, make_time_purpose},
      RankPurposeEntry{purpose::kMemory, make_memory_purpose},
      RankPurposeEntry{purpose::kTraining, make_training_purpose},
      RankPurposeEntry{purpose::kProfile, make_profile_purpose},
      RankPurposeEntry{purpose::kCheck, make_check_purpose},
      RankPurposeEntry{purpose::kNodes, make_nodes_purpose},
      RankPurposeEntry{purpose::kCollectives, make_collectives_purpose},
  };
  return kTable;
}

}  // namespace ddpbench
