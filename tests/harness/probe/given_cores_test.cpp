#include "harness/probe/given_cores.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/node_layout.hpp"
#include "suite/contract/processes/core_variables.hpp"
#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

void bind_this_thread(const std::vector<int>& cores) {
  const auto mask = core_mask(cores);
  ASSERT_EQ(::sched_setaffinity(0, mask.size() * sizeof(unsigned long), reinterpret_cast<const cpu_set_t*>(mask.data())), 0);
}

// As libgomp does with OMP_PROC_BIND=true while it is loaded.
TEST(GivenCores, AThreadThatALibraryHasBoundIsPutBack) {
  const auto all = allowed_cores();
  if (all.size() < 2) GTEST_SKIP() << "one core";
  const test::ScopedVariable given(kCoresVariable, list_of_numbers(all));
  EXPECT_EQ(restore_core_affinity(), "");
  std::thread([&] {
    bind_this_thread({all.front()});
    EXPECT_EQ(restore_core_affinity(), std::to_string(all.front()) + " (it was given " + list_of_numbers(all) + ")");
    EXPECT_EQ(allowed_cores(), all);
  }).join();
}

TEST(GivenCores, WhoWasStartedByHandStaysWhereItIs) {
  const auto all = allowed_cores();
  std::thread([&] {
    bind_this_thread({all.front()});
    EXPECT_EQ(restore_core_affinity(), "");
    EXPECT_EQ(allowed_cores(), std::vector{all.front()});
  }).join();
}

}  // namespace
}  // namespace ddpbench
