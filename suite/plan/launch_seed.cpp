#include "suite/plan/launch_seed.hpp"

#include <numeric>
#include <utility>

#include "suite/base/random.hpp"

namespace ddpbench {
namespace {

std::uint64_t combined(std::int64_t experiment_seed, std::uint64_t what, std::int64_t repetition) {
  return mixed(mixed(mixed(static_cast<std::uint64_t>(experiment_seed)) ^ what) ^ static_cast<std::uint64_t>(repetition));
}

}  // namespace

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

std::int64_t launch_seed(std::int64_t experiment_seed, std::string_view cell_id, std::int64_t repetition) {
  return static_cast<std::int64_t>(combined(experiment_seed, fnv1a(cell_id), repetition) >> 11);
}

std::vector<std::size_t> launch_order(std::size_t count, std::int64_t experiment_seed, std::int64_t repetition) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t state = combined(experiment_seed, fnv1a("order of cells"), repetition);
  for (std::size_t left = count; left > 1; --left) {
    state = mixed(state);
    std::swap(order[left - 1], order[state % left]);  // at a million cells the modulo's bias is below 1e-13
  }
  return order;
}

}  // namespace ddpbench
