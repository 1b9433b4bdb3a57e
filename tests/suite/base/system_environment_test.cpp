#include "suite/base/system_environment.hpp"

#include <gtest/gtest.h>

#include "suite/base/allowed_cores.hpp"
#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;

TEST(CacheFolder, FollowsTheXdgRules) {
  const ScopedVariable home("HOME", "/people/ada");
  {
    const ScopedVariable cache("XDG_CACHE_HOME", "/scratch/ada");
    EXPECT_EQ(cache_folder(), "/scratch/ada/ddpbench");
  }
  const ScopedVariable relative("XDG_CACHE_HOME", "scratch");
  EXPECT_EQ(cache_folder(), "/people/ada/.cache/ddpbench");
  const ScopedVariable no_home("HOME", std::nullopt);
  EXPECT_EQ(cache_folder(), "");
}

TEST(AllowedCores, AreSome) { EXPECT_FALSE(allowed_cores().empty()); }

TEST(HostName, IsNotEmpty) { EXPECT_FALSE(host_name().empty()); }

}  // namespace
}  // namespace ddpbench
