#include "suite/commands/written_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(WrittenOutput, OneThatTookAllIsDone) {
  std::ostringstream out;
  out << "cells";
  EXPECT_NO_THROW(require_written(out, STDOUT_FILENO));
}

TEST(WrittenOutput, AFullDiskIsAnError) {
  std::ofstream out("/dev/full");
  out << "cells";
  const int fd = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_THROW(require_written(out, fd), Error);
  ::close(fd);
}

TEST(WrittenOutput, AReaderThatWentAwayIsNone) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  ::close(ends[0]);
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_NO_THROW(require_written(out, ends[1]));
  ::close(ends[1]);
}

}  // namespace
}  // namespace ddpbench
