#include "suite/commands/run/node_check_report.hpp"

#include <gmock/gmock.h>

#include "suite/purposes/nodes/bad_nodes.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(NodeCheckReport, OfALookUnderAProfilerNoNodeIsRemembered) {
  const ScratchFolder cache;
  const test::ScopedVariable variable("XDG_CACHE_HOME", cache.path());
  NodeCheckReport look;
  look.checked.hosts = {"n1", "n2"};
  look.answer.bad = {{"n2", node_finding::kBroken, "n2 is broken"}};
  look.checked.profiled = "nsys";
  remember_look(look, "");
  EXPECT_THAT(known_bad_nodes(""), IsEmpty());
  look.checked.profiled.clear();
  remember_look(look, "");
  EXPECT_THAT(known_bad_nodes(""), SizeIs(1));
}

}  // namespace
}  // namespace ddpbench
