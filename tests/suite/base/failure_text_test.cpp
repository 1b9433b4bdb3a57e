#include "suite/base/failure_text.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "suite/base/errors.hpp"
#include "suite/base/library_errors.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/script_folder.hpp"

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

// What a library says stands behind what it means.
TEST(FailureText, ThoseOfLibrariesBeginWithWhatHelps) {
  const std::string unused = "Expected to have finished reduction in the prior iteration before starting a new one";
  const std::string meaning = "parameters of the model take no part in the loss: --set find_unused_parameters=true: ";
  EXPECT_EQ(text_of([&] { throw std::runtime_error(unused + ". This error indicates that your module"); }), meaning + unused);
  EXPECT_EQ(text_of([&] { throw Error("arm 'py_raw=mine': RuntimeError: " + unused); }),
            meaning + "arm 'py_raw=mine': RuntimeError: " + unused);
  EXPECT_TRUE(text_of([] {
                throw std::system_error(EAGAIN, std::generic_category());
              }).starts_with("a limit on processes and threads is reached"));
}

// While it lives, this process has a soft limit.
class ScopedLimit {
 public:
  ScopedLimit(decltype(RLIMIT_AS) limit, rlim_t value) : limit_(limit) {
    ::getrlimit(limit, &before_);
    rlimit own{value, before_.rlim_max};
    ::setrlimit(limit, &own);
  }
  ~ScopedLimit() { ::setrlimit(limit_, &before_); }
  ScopedLimit(const ScopedLimit&) = delete;
  ScopedLimit& operator=(const ScopedLimit&) = delete;

 private:
  decltype(RLIMIT_AS) limit_;
  rlimit before_{};
};

TEST(LibraryWords, ALimitOfThisProcessIsNamed) {
  for (const auto* words : {"  what():  std::bad_alloc", "out of memory", "OSError: [Errno 12] Cannot allocate memory",
                            "libtorch_cpu.so: failed to map segment from shared object"}) {
    EXPECT_EQ(explain_library_error(words), "") << "without a limit";
    const ScopedLimit memory(RLIMIT_AS, rlim_t{1} << 46);
    EXPECT_EQ(explain_library_error(words), "there is no more memory within its limit (ulimit -v is 67108864 MiB)");
  }
  const ScopedLimit files(RLIMIT_NOFILE, 77);
  EXPECT_EQ(explain_library_error("cannot open a pipe: Too many open files"),
            "a limit on open files is reached (ulimit -n is 77)");
  EXPECT_EQ(explain_library_error("cannot open a pipe: Too many open files in system"), "");
}

// The tightest limit is that of the group.
TEST(LibraryWords, ALimitOnProcessesIsNamed) {
  const test::ScriptFolder root;
  const auto path = root.path().string();
  root.write("proc/self/cgroup", "0::/job\n");
  root.write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  root.write("sys/fs/cgroup/job/pids.max", "6\n");
  EXPECT_EQ(explain_library_error("Resource temporarily unavailable", path),
            "a limit on processes and threads is reached (pids.max of its control group is 6)");
  EXPECT_EQ(explain_library_error("something else", path), "");
  EXPECT_EQ(explain_library_error("recv: Resource temporarily unavailable", path), "") << "of a socket";
  EXPECT_EQ(explain_library_error("No space left on device", path), "") << "there is no /dev/shm that is full";
  EXPECT_THAT(explain_library_error(
                  "unable to allocate shared memory(shm) for file </torch_1_0>: Resource temporarily unavailable", path),
              ::testing::StartsWith("/dev/shm is full, through which the workers of a DataLoader"));
}

}  // namespace
}  // namespace ddpbench
