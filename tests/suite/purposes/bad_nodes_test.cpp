#include "suite/purposes/nodes/bad_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/scoped_variable.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class BadNodes : public testing::Test {
 protected:
  static std::vector<std::string> known(const std::string& since_utc = "") {
    std::vector<std::string> names;
    for (const auto& one : known_bad_nodes(since_utc)) names.push_back(one.node);
    return names;
  }
  static KnownBadNode bad(const std::string& node, const std::string& found_utc) { return {node, found_utc, "slow", "why", ""}; }

  ScratchFolder cache_;
  test::ScopedVariable variable_{"XDG_CACHE_HOME", cache_.path()};
};

TEST_F(BadNodes, ALookReplacesWhatWasKnownOfTheNodesThatItSaw) {
  remember_bad_nodes({"n1", "n2", "n3"}, {bad("n1", "2026-11-20T00:00:00Z"), bad("n2", "2026-11-20T00:00:00Z")});
  EXPECT_THAT(known(), ElementsAre("n1", "n2"));
  remember_bad_nodes({"n2", "n3"}, {bad("n3", "2026-11-24T00:00:00Z")});
  EXPECT_THAT(known(), ElementsAre("n1", "n3")) << "n2 is well by now; n1 was not looked at";
  EXPECT_THAT(known("2026-11-22T00:00:00Z"), ElementsAre("n3")) << "what is older is not used";
}

TEST_F(BadNodes, NothingIsWrittenWhereNothingIsBad) {
  remember_bad_nodes({"n1"}, {});
  EXPECT_FALSE(std::filesystem::exists(bad_nodes_path()));
}

TEST_F(BadNodes, ADamagedListIsNone) {
  std::filesystem::create_directories(bad_nodes_path().parent_path());
  std::ofstream(bad_nodes_path()) << "node,found_utc\nn1\n";
  EXPECT_THAT(known(), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
