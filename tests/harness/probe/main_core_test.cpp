#include "harness/probe/main_core.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "suite/base/allowed_cores.hpp"
#include "suite/contract/processes/core_variables.hpp"

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
    bind_main_thread();
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

// Of a process that the bound thread forks.
std::string cores_of_a_child() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const auto child = ::fork();
  if (child == 0) {
    const auto count = std::to_string(cores_of_this_thread().size());
    ::_exit(::write(ends[1], count.data(), count.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  char text[16]{};
  const auto length = ::read(ends[0], text, sizeof(text));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(0, length))};
}

TEST(MainCore, IsLeftByWhatIsStartedLater) {
  const auto before = cores_of_this_thread();
  ::setenv(kMainCoreVariable, std::to_string(before.front()).c_str(), 1);
  std::vector<int> of_a_thread;
  std::string of_a_child;
  std::thread([&] {
    bind_main_thread();
    of_a_child = cores_of_a_child();
    std::thread([&] {
      unbind_thread();
      of_a_thread = cores_of_this_thread();
    }).join();
  }).join();
  ::unsetenv(kMainCoreVariable);
  EXPECT_EQ(of_a_thread, before);
  EXPECT_EQ(of_a_child, std::to_string(before.size()));
}

TEST(MainCore, AWishThatCannotBeIsNone) {
  const auto before = cores_of_this_thread();
  for (const auto* text : {"", "x", "-1", "99999", "1023", "0.5"}) EXPECT_EQ(cores_where_asked_for(text), before) << text;
}

}  // namespace
}  // namespace ddpbench
