#include "suite/runs/rank_outcomes.hpp"

#include <string>

#include "suite/base/errors.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

std::optional<Outcome> outcome_of(const LaunchSpec& spec, std::int64_t rank) {
  try {
    return read_outcome(spec.part_dir, rank);
  } catch (const Error& error) {
    return Outcome{status::kFailed, "rank " + std::to_string(rank) + ": " + error.what(), {}, ""};
  }
}

}  // namespace

std::vector<std::optional<Outcome>> read_outcomes(const LaunchSpec& spec) {
  std::vector<std::optional<Outcome>> outcomes;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) outcomes.push_back(outcome_of(spec, rank));
  return outcomes;
}

}  // namespace ddpbench
