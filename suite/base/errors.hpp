#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/text.hpp"

namespace ddpbench {

// Is the base of this project's exceptions; what() is a message for people.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reports the caller's mistakes, one message each; what() is all of them, a line each. Ends in exit code 2.
class UsageError : public Error {
 public:
  explicit UsageError(std::string message) : UsageError(std::vector<std::string>{std::move(message)}) {}
  explicit UsageError(std::vector<std::string> messages) : Error(join(messages, "\n")), messages_(std::move(messages)) {}
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  std::vector<std::string> messages_;
};

// Reports the machine's fault before anything ran: LibTorch missing, a folder that cannot be written. Ends in exit code 3.
class CannotRun : public Error {
 public:
  using Error::Error;
};

// Reports that a rank found its launcher's signal at a step's end: the launch ends as `partial`. Ends in exit code 75.
class StoppedError : public Error {
 public:
  using Error::Error;
};

}  // namespace ddpbench
