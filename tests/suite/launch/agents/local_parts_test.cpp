#include "suite/launch/agents/local_parts.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>

#include <filesystem>
#include <thread>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

AgentStart start_in(const std::string& part_dir, const std::string& mark) {
  return {{"/opt/worker", "--part-dir", part_dir, "--nodes", "2"}, {}, {}, "/", part_dir, mark};
}

TEST(LocalParts, AreNotNeededWhereTheNodeSeesTheDriversFolder) {
  const test::ScriptFolder shared;
  auto start = start_in(shared.path(), mark_part_folder(shared.path()));
  EXPECT_FALSE(LocalParts::where_needed(start));
  EXPECT_EQ(start.tokens[2], shared.path());
}

TEST(LocalParts, AProgramThatIsNoRankNeedsNone) {
  EXPECT_EQ(mark_part_folder("/nowhere"), "");
  auto start = start_in("/nowhere", "");
  EXPECT_FALSE(LocalParts::where_needed(start));
}

// A folder of the same name, of another machine's.
TEST(LocalParts, TakeThePlaceOfAFolderThatIsNotTheDrivers) {
  const test::ScriptFolder drivers, nodes;
  mark_part_folder(nodes.path());
  auto start = start_in(nodes.path(), mark_part_folder(drivers.path()));
  start.folder = "/a/folder/that/the/node/has/not";
  fs::path own;
  {
    const auto parts = LocalParts::where_needed(start);
    ASSERT_TRUE(parts);
    own = start.tokens[2];
    EXPECT_TRUE(fs::is_directory(own));
    EXPECT_EQ(start.folder, own);
    EXPECT_THAT(start.tokens, ElementsAre("/opt/worker", "--part-dir", own.string(), "--nodes", "2"));
  }
  EXPECT_FALSE(fs::exists(own)) << "gone with the object";
}

// A profiler in front of the rank writes there too. A folder whose name only begins so is another.
TEST(LocalParts, AFileThatATokenNamesInTheFolderComesAlong) {
  auto start = start_in("/nowhere", "mark");
  start.tokens.insert(start.tokens.begin(), {"nsys", "--output=/nowhere/trace.%q{RANK}", "--import=/nowhere-else/a"});
  const auto parts = LocalParts::where_needed(start);
  ASSERT_TRUE(parts);
  const auto own = start.tokens[5];
  EXPECT_NE(own, "/nowhere");
  EXPECT_THAT(start.tokens, ElementsAre("nsys", "--output=" + own + "/trace.%q{RANK}", "--import=/nowhere-else/a", "/opt/worker",
                                        "--part-dir", own, "--nodes", "2"));
}

TEST(LocalParts, ComeToTheDriverWhole) {
  const test::ScriptFolder drivers;
  auto start = start_in("/nowhere", "mark");
  const auto parts = LocalParts::where_needed(start);
  ASSERT_TRUE(parts);
  const auto own = start.tokens[2];
  const std::string steps(3'000'000, 's');
  replace_file(steps_part(own, 5), steps);
  replace_file(blocks_part(own, 5), "blocks");
  replace_file(trace_part(own, 5, ".nsys-rep"), "trace");
  replace_file(trace_part(own, 5, ".3.json"), "third span");
  replace_file(steps_part(own, 50), "of another rank");
  write_outcome(own, 5, {.status = "ok", .reason = "", .arms = {}, .host = "node2"});
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  Channel agent{FileDescriptor(ends[0])}, driver{FileDescriptor(ends[1])};
  driver.trust();
  std::thread node([&] {
    parts->hand_over(5, agent);
    agent.send({"end"});
  });
  while (true) {
    const auto message = driver.receive();
    if (!message) continue;
    if (message->front() == "end") break;
    EXPECT_EQ(message->front(), agent_verb::kPart);
    take_part(drivers.path(), 5, {message->begin() + 1, message->end()});
  }
  node.join();
  EXPECT_EQ(read_file(steps_part(drivers.path(), 5)), steps);
  EXPECT_EQ(read_file(blocks_part(drivers.path(), 5)), "blocks");
  EXPECT_EQ(read_file(trace_part(drivers.path(), 5, ".nsys-rep")), "trace");
  EXPECT_EQ(read_file(trace_part(drivers.path(), 5, ".3.json")), "third span");
  EXPECT_FALSE(fs::exists(steps_part(drivers.path(), 50)));
  EXPECT_EQ(read_outcome(drivers.path(), 5)->host, "node2");
}

TEST(LocalParts, APieceGoesToNoOtherFile) {
  const test::ScriptFolder drivers;
  for (const Words& message :
       {Words{"steps.1.csv", "text"}, Words{"steps.0.csv/../x.csv", "text"}, Words{"outcome.0.json.1-0.new", "text"},
        Words{"notes.0.csv", "text"}, Words{"../steps.0.csv", "text"}, Words{"steps.0.csv"}, Words{}}) {
    EXPECT_THROW(take_part(drivers.path(), 0, message), Error);
  }
  EXPECT_TRUE(fs::is_empty(drivers.path()));
}

}  // namespace
}  // namespace ddpbench
