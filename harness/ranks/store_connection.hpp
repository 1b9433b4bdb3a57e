#pragma once
#include <chrono>
#include <mutex>
#include <optional>

#include "harness/ranks/store_socket.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/processes/stream_message.hpp"

namespace ddpbench {

// Says that the store did not answer in time: what was asked for is not there yet.
class StoreTimeout : public Error {
 public:
  using Error::Error;
};

// Connects one rank with its launch's store. Threads may share one; a question that waits makes the others wait.
class StoreConnection {
 public:
  // Waits until the store is served, for `patience` at most. Throws StoreTimeout, or Error where the store is another user's or
  // refuses the secret.
  StoreConnection(StoreAddress address, std::chrono::milliseconds patience);

  // Sends a request and returns the answer. Throws StoreTimeout after `patience`, Error at once where the store has gone.
  Words ask(const Words& request, std::chrono::milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;
  void connect(Clock::time_point deadline);
  void authenticate(Clock::time_point deadline);
  void send(const std::string& bytes, Clock::time_point deadline);
  Words receive(Clock::time_point deadline);

  StoreAddress address_;
  std::mutex mutex_;
  std::optional<FileDescriptor> socket_;  // nothing: an answer was given up, and must not be taken for the next one
  bool is_gone_ = false;                  // the store: nobody serves it again
};

}  // namespace ddpbench
