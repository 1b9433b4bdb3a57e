#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/errors.hpp"

namespace ddpbench {

// Collects the caller's mistakes, so that all of them are told at once.
class Mistakes {
 public:
  void add(std::string message) {
    ++count_;
    if (messages_.size() < kTold) messages_.push_back(std::move(message));
  }
  bool none() const { return count_ == 0; }

  // Throws one UsageError that holds the first kTold of them, and counts the others.
  void throw_if_any() {
    if (none()) return;
    if (count_ > kTold) messages_.push_back("… and " + std::to_string(count_ - kTold) + " more");
    throw UsageError(std::move(messages_));
  }

 private:
  static constexpr std::size_t kTold = 50;  // a generated file can be wrong a million times
  std::vector<std::string> messages_;
  std::size_t count_ = 0;
};

}  // namespace ddpbench
