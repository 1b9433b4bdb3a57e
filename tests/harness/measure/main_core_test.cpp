#include "harness/measure/main_core.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "suite/base/allowed_cores.hpp"
#include "suite/contract/main_core.hpp"

namespace ddpbench {
namespace {

std::vector<int> cores_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof(set), &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
  }
  return cores;
}

// In a thread of its own: the others of this process stay where they are.
std::vector<int> cores_where_asked_for(const std::string& text) {
  ::setenv(kMainCoreVariable, text.c_str(), 1);
  std::vector<int> cores;
  std::thread([&] {
    keep_to_main_core();
    cores = cores_of_this_thread();
  }).join();
  ::unsetenv(kMainCoreVariable);
  return cores;
}

TEST(MainCore, IsKeptToByTheThreadThatAsks) {
  const auto before = cores_of_this_thread();
  const int last = before.back();
  EXPECT_EQ(cores_where_asked_for(std::to_string(last)), std::vector{last});
  EXPECT_EQ(cores_of_this_thread(), before) << "other threads run where they like";
}

TEST(MainCore, AWishThatCannotBeIsNone) {
  const auto before = cores_of_this_thread();
  for (const auto* text : {"", "x", "-1", "99999", "1023", "0.5"}) EXPECT_EQ(cores_where_asked_for(text), before) << text;
}

}  // namespace
}  // namespace ddpbench
