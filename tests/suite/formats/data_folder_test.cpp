#include "suite/formats/data_folder.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "suite/base/errors.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/verify.hpp"
#include "tests/suite/formats/small_data.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class DataFolderTest : public testing::Test {
 protected:
  std::string make(const std::string& name) { return generate_data(kSmall10, folder_ / name, 5); }
  DataFolder find(const DataSources& sources) { return find_or_generate_data(kSmall10, sources); }
  TestFolder folder_;
};

TEST_F(DataFolderTest, TheOptionComesBeforeTheVariablesAndTheCache) {
  const auto option = make("option");
  const auto own = make("own");
  const auto site = make("site");
  const auto cache = folder_ / "cache";
  EXPECT_EQ(find({folder_ / "option", folder_ / "own", folder_ / "site", cache}).path, option);
  EXPECT_EQ(find({"", folder_ / "own", folder_ / "site", cache}).path, own);
  EXPECT_EQ(find({"", "", folder_ / "site", cache}).path, site);
  EXPECT_FALSE(std::filesystem::exists(cache));
  EXPECT_THAT(find({"", "", "", cache}).path, StartsWith(cache));
}

TEST_F(DataFolderTest, TheOriginNamesTheSourceAndWhatIsGenerated) {
  make("option");
  make("site/CIFAR_10");
  EXPECT_THAT(find({folder_ / "option", "", "", ""}).origin, StartsWith("from --data: "));
  EXPECT_THAT(find({folder_ / "option", "", "", ""}).origin, HasSubstr("generated (seed 5): not the real CIFAR-10"));
  const auto real = find({"", "", folder_ / "site", ""});
  EXPECT_EQ(real.path, folder_ / "site/CIFAR_10/cifar-10-batches-bin");
  EXPECT_THAT(real.origin, StartsWith("from $DSDIR: " + real.path));
  EXPECT_EQ(find({"", "", "", folder_ / "cache"}).origin, "generated (seed 1): not the real CIFAR-10");
}

TEST_F(DataFolderTest, RealDataIsNotCalledGenerated) {
  const auto files = make("option");
  std::filesystem::remove(files + "/GENERATED_BY_DDPBENCH.txt");
  EXPECT_EQ(find({files, "", "", ""}).origin, "from --data: " + files);
}

TEST_F(DataFolderTest, AGivenFolderWithoutTheFilesIsAMistakeNotAReasonToGenerate) {
  EXPECT_THROW(find({folder_ / "nowhere", "", "", folder_ / "cache"}), UsageError);
  EXPECT_THROW(find({"", folder_ / "nowhere", "", folder_ / "cache"}), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
}

TEST_F(DataFolderTest, BadFilesOfAnySourceAreMistakesThatNameTheSource) {
  const auto files = make("site");
  put_byte(files + "/test_batch.bin", 0, 99);
  try {
    find({"", "", folder_ / "site", folder_ / "cache"});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), StartsWith("$DSDIR: " + files + "/test_batch.bin: record 0"));
  }
}

TEST_F(DataFolderTest, ASiteWithoutTheDataSetIsPassedBy) {
  std::filesystem::create_directory(folder_ / "site");
  EXPECT_THAT(find({"", "", folder_ / "site", folder_ / "cache"}).origin, StartsWith("generated"));
}

TEST_F(DataFolderTest, WhatCannotBeLookedAtIsAMistakeNotAReasonToGenerate) {
  std::filesystem::create_directories(folder_ / "site");
  std::filesystem::create_symlink("CIFAR_10", folder_ / "site/CIFAR_10");  // a loop: root too is refused
  const DataSources sources{"", "", folder_ / "site", folder_ / "cache"};
  EXPECT_THAT([&] { find(sources); },
              testing::ThrowsMessage<UsageError>(testing::AllOf(HasSubstr("$DSDIR: "), HasSubstr("CIFAR_10/cifar-10-batches-bin"),
                                                                HasSubstr("Too many levels of symbolic links"))));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache"));
}

TEST_F(DataFolderTest, TheCacheIsFilledOnceAndMendedWhenBroken) {
  const DataSources sources{"", "", "", folder_ / "cache"};
  const auto first = find(sources).path;
  const auto made = std::filesystem::last_write_time(first + "/test_batch.bin");
  find(sources);
  EXPECT_EQ(std::filesystem::last_write_time(first + "/test_batch.bin"), made);
  std::filesystem::resize_file(first + "/test_batch.bin", 10);
  find(sources);
  EXPECT_THAT(data_mistakes(kSmall10, first), IsEmpty());
}

TEST_F(DataFolderTest, ACacheThatCannotBeWrittenCannotRun) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW(find({"", "", "", folder_ / "file/cache"}), CannotRun);
  EXPECT_THROW(find({"", "", "", ""}), CannotRun);
}

// Sets a variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    was_set_ = std::getenv(name) != nullptr;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (was_set_) setenv(name_, before_.c_str(), 1);
    if (!was_set_) unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_;
};

TEST(DataSourcesTest, ComeFromTheEnvironment) {
  const Variable own("DDPBENCH_DATA", "/own");
  const Variable site("DSDIR", "");
  const Variable home("HOME", "/someone");
  const Variable xdg("XDG_CACHE_HOME", "/xdg");
  const auto sources = data_sources("/option");
  EXPECT_EQ(sources.option, "/option");
  EXPECT_EQ(sources.own_variable, "/own");
  EXPECT_EQ(sources.site_variable, "");
  EXPECT_EQ(sources.cache, "/xdg/ddpbench/data");
  const Variable relative("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(data_sources("").cache, "/someone/.cache/ddpbench/data");
}

}  // namespace
}  // namespace ddpbench
