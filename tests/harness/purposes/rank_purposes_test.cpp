#include "harness/purposes/rank_purposes.hpp"

#include <gmock/gmock.h>

#include "suite/contract/launch/purposes.hpp"

namespace ddpbench {
namespace {

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

TEST(Purposes, TheRanksTableHasThoseOfTheContract) { EXPECT_EQ(names_of(rank_purposes()), names_of(purposes())); }

}  // namespace
}  // namespace ddpbench
