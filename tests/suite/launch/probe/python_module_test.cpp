#include "suite/launch/probe/python_module.hpp"

#include <gmock/gmock.h>

#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;

TEST(PythonModule, IsStartedByAnAbsolutePathAndHeedsNoVariable) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  const auto child = python_module(installation_at("/install/bin"), "reports.html", {"--out", "/r"});
  EXPECT_THAT(child.tokens, ElementsAre("/opt/python", "-E", "-B", "-X", "utf8", "/install/share/ddpbench/reports/isolated.py",
                                        "reports.html", "--out", "/r"));
}

}  // namespace
}  // namespace ddpbench
