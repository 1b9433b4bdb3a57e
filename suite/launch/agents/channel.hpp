#pragma once
#include <optional>
#include <string>

#include "suite/base/durable_file.hpp"
#include "suite/contract/processes/stream_message.hpp"

namespace ddpbench {

// Holds one end of a connection between the driver and an agent. Waits in send_all() only. Once the connection is broken nothing
// comes and nothing goes.
class Channel {
 public:
  explicit Channel(FileDescriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.number(); }  // -1: broken
  const FileDescriptor& socket() const { return socket_; }
  bool is_open() const { return fd() >= 0; }
  bool has_unsent() const { return unsent_bytes() > 0; }
  std::size_t unsent_bytes() const { return is_open() ? out_.size() - sent_ : 0; }

  // Sends what the socket takes at once; keeps the rest for send_rest() and send_all().
  void send(const Words& message);
  void send_rest();
  void send_all();  // waits until everything is sent, or the connection is broken

  // Returns the next message that has come whole; nothing: none yet, or the connection is broken.
  std::optional<Words> receive();

  // Lets the other end say more than a greeting from now on.
  void trust() { in_.allow(kLongestMessageBytes); }
  void close() { socket_.close(); }

 private:
  static constexpr std::uint32_t kLongestGreetingBytes = 1U << 16;  // of one who is not known yet

  FileDescriptor socket_;
  MessageReader in_{kLongestGreetingBytes};
  std::string out_;       // of which the socket has taken
  std::size_t sent_ = 0;  // so many bytes
};

}  // namespace ddpbench
