#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "suite/base/file_descriptor.hpp"

namespace ddpbench {

// Bounds a line; a longer one is handed on in parts.
inline constexpr std::size_t kLongestLineBytes = 1 << 16;

// Makes a line fit for a terminal and a table: what would steer a terminal is '?', a tabulator is a blank.
std::string clean_line(std::string_view line);

// Cuts what comes out of a pipe into clean lines.
class OutputLines {
 public:
  using Take = std::function<void(std::string_view line)>;
  explicit OutputLines(FileDescriptor fd) : fd_(std::move(fd)) {}

  int fd() const { return fd_.number(); }  // -1: closed; poll() passes such a one over

  // Hands on the lines that are complete by now.
  void read(const Take& take);

  // Hands on what is left, with or without its newline, and closes the pipe.
  void finish(const Take& take);

 private:
  void take_rest(const Take& take);

  FileDescriptor fd_;
  std::string text_;
};

}  // namespace ddpbench
