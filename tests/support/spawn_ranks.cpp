#include "tests/support/spawn_ranks.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ddpbench {
namespace {

struct Listener {
  int fd = -1;
  std::uint16_t port = 0;
};

Listener listen_on_loopback() {
  Listener listener{socket(AF_INET, SOCK_STREAM, 0), 0};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener.fd, generic, size) != 0 || listen(listener.fd, 64) != 0) throw std::runtime_error("no port on loopback");
  getsockname(listener.fd, generic, &size);
  listener.port = ntohs(address.sin_port);
  return listener;
}

struct Child {
  pid_t pid;
  int words;  // read end of the pipe on which the child says what went wrong
};

[[noreturn]] void be_rank(const RankInfo& info, const std::function<void(const RankInfo&)>& body, int words) {
  int code = 0;
  try {
    body(info);
  } catch (const std::exception& error) {
    code = 1;
    [[maybe_unused]] const auto written = write(words, error.what(), std::strlen(error.what()));
  }
  std::_Exit(code);
}

Child start(int rank, int world_size, const Listener& listener, const std::function<void(const RankInfo&)>& body) {
  std::array<int, 2> words{};
  if (pipe(words.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t pid = fork();
  if (pid == 0) {
    RankInfo info;
    info.rank = info.local_rank = rank;
    info.world_size = world_size;
    info.main_port = listener.port;
    if (rank == 0) info.store_fd = listener.fd;
    be_rank(info, body, words[1]);
  }
  close(words[1]);
  return {pid, words[0]};
}

std::string last_words(int fd) {
  std::array<char, 4096> buffer{};
  const auto size = read(fd, buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : "";
}

std::string verdict(int rank, int status, int words) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  const auto how = WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status)) : last_words(words);
  return "rank " + std::to_string(rank) + ": " + how;
}

}  // namespace

void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

std::string spawn_ranks(int world_size, const std::function<void(const RankInfo&)>& body, int timeout_seconds) {
  const auto listener = listen_on_loopback();
  std::vector<Child> children;
  for (int rank = 0; rank < world_size; ++rank) children.push_back(start(rank, world_size, listener, body));
  close(listener.fd);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_seconds);
  std::string failure;
  for (int left = world_size; left > 0;) {
    const bool late = std::chrono::steady_clock::now() > deadline;
    if (late && failure.empty()) failure = "timeout after " + std::to_string(timeout_seconds) + " s";
    for (int rank = 0; rank < world_size; ++rank) {
      auto& child = children[static_cast<std::size_t>(rank)];
      if (child.pid == 0) continue;
      if (!failure.empty()) kill(child.pid, SIGKILL);
      int status = 0;
      if (waitpid(child.pid, &status, WNOHANG) != child.pid) continue;
      if (failure.empty()) failure = verdict(rank, status, child.words);
      close(child.words);
      child.pid = 0;
      --left;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return failure;
}

}  // namespace ddpbench
