#include "suite/launch/local/core_binding.hpp"

#include <algorithm>

#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

std::vector<Share> cut(std::vector<Core> cores, std::size_t ranks) {
  std::sort(cores.begin(), cores.end());
  const auto each = static_cast<std::ptrdiff_t>(cores.size() / ranks);
  std::vector<Share> shares;
  auto next = cores.begin();
  for (std::size_t rank = 0; rank < ranks; ++rank, next += each) {
    Share share(next, next + each);
    std::sort(share.begin(), share.end(), [](const Core& a, const Core& b) { return a.number < b.number; });
    shares.push_back(std::move(share));
  }
  return shares;
}

// The first of those that have the most cores on that memory node.
std::vector<Share>::iterator nearest_share(std::vector<Share>& shares, int memory_node) {
  const auto near = [memory_node](const Share& share) {
    return std::count_if(share.begin(), share.end(), [&](const Core& core) { return core.memory_node == memory_node; });
  };
  return std::max_element(shares.begin(), shares.end(), [&](const Share& a, const Share& b) { return near(a) < near(b); });
}

std::string memory_phrase(const std::vector<Share>& shares, const Share& share) {
  Share all;
  for (const auto& one : shares) all.insert(all.end(), one.begin(), one.end());
  if (memory_nodes_of(all).size() < 2) return "";
  return " (memory " + list_of_numbers(memory_nodes_of(share)) + ")";
}

}  // namespace

std::vector<Share> share_cores(const std::vector<Core>& cores, std::size_t ranks, const std::vector<int>& wanted) {
  if (ranks == 0 || static_cast<std::ptrdiff_t>(cores.size() / ranks) < kFewestCoresPerRank) return {};
  auto left = cut(cores, ranks);
  std::vector<Share> shares;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto nearest = nearest_share(left, rank < wanted.size() ? wanted[rank] : -1);
    shares.push_back(std::move(*nearest));
    left.erase(nearest);
  }
  return shares;
}

std::vector<int> main_cores(const NodeLayout& layout, std::size_t ranks) {
  const auto each = ranks == 0 ? 0 : static_cast<std::ptrdiff_t>(layout.cores.size() / ranks);
  if (each < 1 || each >= kFewestCoresPerRank) return {};
  std::vector<int> cores;
  for (const auto& share : cut(layout.cores, ranks)) cores.push_back(share.front().number);
  return cores;
}

int gpu_memory_of(const NodeLayout& layout, std::size_t local_rank) {
  const auto& gpus = layout.gpu_memory;
  if (gpus.size() == 1) return gpus.front();
  return local_rank < gpus.size() ? gpus[local_rank] : -1;
}

std::vector<Share> share_layout(const NodeLayout& layout, std::size_t ranks) {
  std::vector<int> wanted;
  for (std::size_t rank = 0; rank < ranks; ++rank) wanted.push_back(gpu_memory_of(layout, rank));
  return share_cores(layout.cores, ranks, wanted);
}

std::vector<int> numbers_of(const std::vector<Core>& cores) {
  std::vector<int> numbers;
  for (const auto& core : cores) numbers.push_back(core.number);
  return numbers;
}

std::string describe_binding(const NodeLayout& layout, std::size_t ranks) {
  const auto shares = share_layout(layout, ranks);
  const auto mains = main_cores(layout, ranks);
  std::vector<std::string> parts;
  for (std::size_t rank = 0; rank < mains.size(); ++rank)
    parts.push_back("rank " + std::to_string(rank) + ": " + std::to_string(mains[rank]));
  if (!mains.empty()) return "main threads alone: " + join(parts, ", ") + " (fewer than 2 cores for each rank: expect noise)";
  if (shares.empty()) {
    return "none: " + std::to_string(ranks) + " ranks share " + std::to_string(layout.cores.size()) +
           " cores, fewer than 2 for each: expect noise";
  }
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    parts.push_back("rank " + std::to_string(rank) + ": " + list_of_numbers(numbers_of(shares[rank])) +
                    memory_phrase(shares, shares[rank]));
  }
  return join(parts, ", ");
}

}  // namespace ddpbench
