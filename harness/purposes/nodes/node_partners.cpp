#include "harness/purposes/nodes/node_partners.hpp"

namespace ddpbench {
namespace {

// An empty seat makes their number even.
std::int64_t seats_of(std::int64_t nodes) { return nodes + nodes % 2; }

}  // namespace

std::int64_t rounds_of_partners(std::int64_t nodes) { return nodes < 2 ? 0 : seats_of(nodes) - 1; }

// Seats but the last sit in a circle; those whose sum is the round, modulo their number, meet. The one that would meet itself meets the
// last seat.
std::int64_t partner_of(std::int64_t node, std::int64_t round, std::int64_t nodes) {
  const auto last = seats_of(nodes) - 1;
  if (last < 1) return -1;
  const auto half = (last + 1) / 2;  // 2 * half = 1 modulo `last`
  const auto alone = round * half % last;
  auto partner = (round % last + last - node % last) % last;
  if (node == last) partner = alone;
  if (node != last && node == alone) partner = last;
  return partner < nodes ? partner : -1;
}

}  // namespace ddpbench
