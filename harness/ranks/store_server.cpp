#include "harness/ranks/store_server.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "suite/base/errors.hpp"
#include "suite/base/tcp.hpp"

namespace ddpbench {
namespace {

constexpr std::uint32_t kLongestGreetingBytes = 256;  // of one who is not known yet

FileDescriptor new_event() {
  const int number = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (number < 0) throw Error("cannot make an event: " + std::generic_category().message(errno));
  return FileDescriptor(number);
}

bool is_readable(const FileDescriptor& file) {
  pollfd polled{file.number(), POLLIN, 0};
  return ::poll(&polled, 1, 0) == 1;
}

}  // namespace

StoreServer::StoreServer(const StoreAddress& address, std::optional<int> listener)
    : secret_(address.secret),
      listener_(listener ? FileDescriptor(*listener) : listening_socket(address)),
      stop_(new_event()),
      thread_([this] { serve(); }) {}

StoreServer::~StoreServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_.number(), &one, sizeof(one));
  thread_.join();
}

void StoreServer::serve() {
  while (!is_readable(stop_)) {
    accept_connections();
    clients_.remove_if([this](StoreClient& client) { return !hear(client); });
    while (answer_some()) {  // what one sets another may wait for
    }
    clients_.remove_if([](StoreClient& client) { return !deliver(client); });
    sleep();
  }
}

void StoreServer::sleep() const {
  std::vector<pollfd> polled{{stop_.number(), POLLIN, 0}, {listener_.number(), POLLIN, 0}};
  for (const auto& client : clients_) {
    const short wanted = client.out.empty() ? POLLIN : POLLIN | POLLOUT;
    polled.push_back({client.socket.number(), wanted, 0});
  }
  ::poll(polled.data(), polled.size(), -1);
}

// Drops other users' connections before reading from them.
void StoreServer::accept_connections() {
  while (true) {
    const int number = ::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (number < 0) return;
    FileDescriptor socket(number);
    set_no_delay(socket);
    if (is_own_user(socket)) clients_.push_back({std::move(socket), MessageReader(kLongestGreetingBytes)});
  }
}

// False: it has gone, or is none of ours.
bool StoreServer::hear(StoreClient& client) {
  std::array<char, 4096> buffer;
  try {
    while (true) {
      const auto got = ::read(client.socket.number(), buffer.data(), buffer.size());
      if (got == 0 || (got < 0 && !is_for_later())) return false;
      if (got < 0) return true;
      client.in.take({buffer.data(), static_cast<std::size_t>(got)});
      while (const auto message = client.in.next()) {
        if (!handle_request(client, *message)) return false;
      }
    }
  } catch (const Error&) {  // what it said is no message, or no request
    return false;
  }
}

// One question at a time: a rank that asks while it waits for an answer is none of ours.
bool StoreServer::handle_request(StoreClient& client, const Words& message) {
  if (client.waiting) return false;
  if (!client.is_known) {
    client.is_known = message == Words{kStoreGreeting, secret_};
    client.in.allow(kLongestMessageBytes);
    client.out += framed({kStoreGreeting});
    return client.is_known;
  }
  client.waiting = message;
  return true;
}

// Each answer leaves before the next question is looked at: who set a value has his answer before anybody learns of the value. A rank that
// waits for its last peer may end its process the instant it knows, and with it this thread.
bool StoreServer::answer_some() {
  bool answered = false;
  clients_.remove_if([&](StoreClient& client) {
    try {
      const auto answer = client.waiting ? values_.answer(*client.waiting) : std::nullopt;
      if (!answer) return false;
      client.waiting.reset();
      client.out += framed(*answer);
      answered = true;
      return !deliver(client);
    } catch (const Error&) {  // no request
      return true;
    }
  });
  return answered;
}

bool StoreServer::deliver(StoreClient& client) {
  while (!client.out.empty()) {
    const auto sent = ::send(client.socket.number(), client.out.data(), client.out.size(), MSG_NOSIGNAL);
    if (sent < 0) return is_for_later();
    client.out.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace ddpbench
