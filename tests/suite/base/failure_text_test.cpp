#include "suite/base/failure_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>

#include "suite/base/errors.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

template <class Work>
std::string text_of(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return failure_text(error);
  }
  return "nothing was thrown";
}

TEST(FailureText, OwnErrorsSpeakForThemselves) {
  EXPECT_EQ(text_of([] { throw UsageError("why"); }), "why");
  EXPECT_EQ(text_of([] { throw std::runtime_error("as it is"); }), "as it is");
}

TEST(FailureText, ThoseOfTheFileSystemNameThePath) {
  const ScratchFolder scratch;
  const auto loop = scratch / "loop";
  std::filesystem::create_symlink(loop, loop);
  EXPECT_EQ(text_of([&] { return std::filesystem::canonical(loop); }),
            loop + " cannot be used: Too many levels of symbolic links");
  EXPECT_EQ(text_of([] { throw std::filesystem::filesystem_error("", std::make_error_code(std::errc::io_error)); }),
            "the working folder cannot be used: Input/output error");
}

TEST(FailureText, ThoseOfMemoryAndJsonAreSentences) {
  EXPECT_EQ(text_of([] { throw std::bad_alloc(); }), "out of memory");
  EXPECT_EQ(text_of([] { throw std::length_error("basic_string::_M_create"); }), "out of memory");
  EXPECT_EQ(text_of([] { throw std::runtime_error("[json.exception.out_of_range.403] key 'a' not found"); }),
            "key 'a' not found");
}

}  // namespace
}  // namespace ddpbench
