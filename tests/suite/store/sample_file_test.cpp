#include "suite/store/sample_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <mutex>

#include "suite/base/errors.hpp"
#include "suite/store/gzip_members.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class SampleFileTest : public testing::Test {
 protected:
  SampleFileTest() { add("launch_id,x\n"); }
  std::int64_t add(const std::string& text) { return length_ = append_gzip_member(path_, length_, text); }
  std::int64_t add_launch(const std::string& id) { return ends_[id] = add(id + ",1\n" + id + ",2\n"); }

  std::map<std::string, std::string> read(std::size_t threads) const {
    std::map<std::string, std::string> found;
    std::mutex mutex;
    SampleFile(path_, ends_)
        .for_each_launch(
            [&](const std::string& id, const std::string& csv) {
              const std::lock_guard lock(mutex);
              EXPECT_TRUE(found.emplace(id, csv).second);
            },
            threads);
    return found;
  }

  ScratchFolder scratch_;
  std::string path_ = scratch_ / "steps.csv.gz";
  std::int64_t length_ = 0;
  SampleFile::Ends ends_;
};

TEST_F(SampleFileTest, GivesEveryLaunchWithTheHeaderOnAnyNumberOfThreads) {
  for (int i = 0; i < 20; ++i) add_launch("L" + std::to_string(i));
  for (const std::size_t threads : {1U, 2U, 5U}) {
    const auto found = read(threads);
    EXPECT_EQ(found.size(), 20U);
    EXPECT_EQ(found.at("L7"), "launch_id,x\nL7,1\nL7,2\n");
  }
}

TEST_F(SampleFileTest, LeavesOutEarlierTriesAndLaunchesWithoutRows) {
  add_launch("L1");
  add_launch("L2");
  add_launch("L1");
  ends_["L3"] = ends_["L1"];  // it left no row
  ends_["L4"] = 0;            // skipped
  const auto found = read(2);
  EXPECT_EQ(found.size(), 2U);
  EXPECT_TRUE(found.contains("L1") && found.contains("L2"));
}

TEST_F(SampleFileTest, BeforeTheFirstLaunchThereIsTheHeaderOnly) {
  EXPECT_TRUE(read(2).empty());
  EXPECT_EQ(SampleFile(path_, {}).header_bytes(), length_);
}

TEST_F(SampleFileTest, ANamedPipeIsRefused) {
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT([&] { read(1); }, ThrowsMessage<Error>(HasSubstr("is a named pipe")));
}

TEST_F(SampleFileTest, WhatIsMissingOrDamagedIsSaidAndTheFirstDamageFirst) {
  const auto first = add_launch("L1");
  const auto second = add_launch("L2");
  add_launch("L3");
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(second));
  EXPECT_THAT([&] { read(2); }, ThrowsMessage<Error>(HasSubstr("is shorter than runs.csv says")));
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(first) + 3);
  for (const std::size_t threads : {1U, 2U}) {
    EXPECT_THAT([&] { read(threads); }, ThrowsMessage<Error>(HasSubstr("member at byte " + std::to_string(first) + " is cut")));
  }
}

}  // namespace
}  // namespace ddpbench
