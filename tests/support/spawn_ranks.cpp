#include "tests/support/spawn_ranks.hpp"

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

Child start(int rank, int world_size, const StoreAddress& store, const std::function<void(const RankInfo&)>& body) {
  std::array<int, 2> words{};
  if (pipe(words.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t pid = fork();
  if (pid == 0) {
    RankInfo info;
    info.rank = info.local_rank = rank;
    info.world_size = world_size;
    info.store = store;
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
  const auto store = new_store_address();
  std::vector<Child> children;
  for (int rank = 0; rank < world_size; ++rank) children.push_back(start(rank, world_size, store, body));
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
