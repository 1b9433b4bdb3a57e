#include "suite/launch/local/core_binding.hpp"

namespace ddpbench {
namespace {

std::string describe_cores(const std::vector<int>& cores) {
  std::string text;
  for (std::size_t first = 0; first < cores.size();) {
    std::size_t last = first;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cores[first]);
    if (last > first) text += "-" + std::to_string(cores[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace

std::vector<std::vector<int>> share_cores(const std::vector<int>& cores, std::size_t ranks) {
  std::vector<std::vector<int>> shares;
  const auto each = static_cast<std::ptrdiff_t>(ranks == 0 ? 0 : cores.size() / ranks);
  if (each < kFewestCoresPerRank) return shares;
  auto next = cores.begin();
  for (std::size_t rank = 0; rank < ranks; ++rank, next += each) shares.emplace_back(next, next + each);
  return shares;
}

std::string describe_binding(const std::vector<std::vector<int>>& shares, std::size_t cores, std::size_t ranks) {
  if (shares.empty()) {
    return "none: " + std::to_string(ranks) + " ranks share " + std::to_string(cores) +
           " cores, fewer than 2 for each: expect noise";
  }
  std::string text;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    text += (rank == 0 ? "rank " : ", rank ") + std::to_string(rank) + ": " + describe_cores(shares[rank]);
  }
  return text;
}

}  // namespace ddpbench
