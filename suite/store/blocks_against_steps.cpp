#include "suite/store/blocks_against_steps.hpp"

#include <cmath>

#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

constexpr double kMostShare = 0.1;
constexpr double kMostSeconds = 50e-6;
// Rows that name a farther block or rank than any launch has are wrong by themselves, and are not kept.
constexpr std::int64_t kMostBlocks = 1 << 24;
constexpr std::int64_t kMostRanks = 1 << 16;

bool is_place(std::int64_t rank, std::int64_t block) {
  return rank >= 0 && rank < kMostRanks && block >= 0 && block < kMostBlocks;
}

}  // namespace

void BlocksAgainstSteps::add(const StepRow& row) {
  if (row.super_block == 0 || row.step <= 0 || !std::isfinite(row.step_s) || !is_place(row.rank, row.block)) return;
  const auto rank = static_cast<std::size_t>(row.rank);
  const auto block = static_cast<std::size_t>(row.block);
  if (sums_s_.size() <= rank) sums_s_.resize(rank + 1);
  if (sums_s_[rank].size() <= block) sums_s_[rank].resize(block + 1);
  sums_s_[rank][block] += row.step_s;
}

void BlocksAgainstSteps::add(const BlockRow& row) {
  if (!std::isfinite(row.wall_s) || !std::isnan(row.device_s) || !is_place(row.rank, row.block)) return;
  if (sums_s_.size() <= static_cast<std::size_t>(row.rank)) return;
  const auto& blocks = sums_s_[static_cast<std::size_t>(row.rank)];
  const auto block = static_cast<std::size_t>(row.block);
  if (block < blocks.size() && blocks[block] > 0) both_s_[row.arm].emplace_back(row.wall_s, blocks[block]);
}

std::vector<std::string> BlocksAgainstSteps::problems(const std::string& launch_id) const {
  std::vector<std::string> found;
  for (const auto& [arm, both] : both_s_) {
    std::vector<double> by_blocks, by_steps, apart;
    for (const auto& [blocks_s, steps_s] : both) {
      by_blocks.push_back(blocks_s);
      by_steps.push_back(steps_s);
      apart.push_back(std::fabs(blocks_s - steps_s) - kMostSeconds - kMostShare * steps_s);
    }
    if (median(apart) <= 0) continue;
    found.push_back("launch " + launch_id + ", arm " + arm + ": blocks of " + shortest_text(median(by_blocks)) +
                    " s where their steps take " + shortest_text(median(by_steps)) + " s (medians)");
  }
  return found;
}

}  // namespace ddpbench
