#pragma once
#include <optional>
#include <string>

#include "suite/base/durable_file.hpp"
#include "suite/contract/processes/stream_message.hpp"

namespace ddpbench {

// One end of a connection between the driver and an agent. Waits in send_all() only. Once the connection is broken nothing comes and nothing goes.
class Channel {
 public:
  explicit Channel(FileDescriptor socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.number(); }  // -1: broken
  const FileDescriptor& socket() const { return socket_; }
  bool is_open() const { return fd() >= 0; }
  bool has_unsent() const { return unsent_bytes() > 0; }
  std::size_t unsent_bytes() const { return is_open() ? out_.size() - sent_ : 0; }

  void send(const Words& message);
  void send_rest();
  void send_all();  // waits until everything is sent, or the connection is broken

  // The next message that has come whole; nothing: none yet, or the connection is broken.
  std::optional<Words> receive();

  // From now on the other end may say more than a greeting.
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
