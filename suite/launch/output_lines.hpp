#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "suite/launch/unique_fd.hpp"

namespace ddpbench {

// What comes out of a pipe, cut into lines.
class OutputLines {
 public:
  using Take = std::function<void(std::string_view line)>;
  explicit OutputLines(UniqueFd fd) : fd_(std::move(fd)) {}

  int fd() const { return fd_.get(); }  // -1: closed; poll() passes such a one over

  // Hands on the lines that are complete by now.
  void read(const Take& take);

  // Hands on what is left, with or without its newline, and closes the pipe.
  void finish(const Take& take);

 private:
  UniqueFd fd_;
  std::string text_;
};

}  // namespace ddpbench
