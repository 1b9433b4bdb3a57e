#include "suite/launch/rank_processes.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <thread>

#include "suite/launch/store_socket.hpp"

namespace ddpbench {
namespace {

ChildRequest request_for(const RankCommand& command, const StoreSocket& store, bool is_first) {
  ChildRequest request{command.tokens, command.environment, {}, -1};
  request.environment["MASTER_PORT"] = std::to_string(store.port);
  if (is_first) {
    request.environment["DDPBENCH_STORE_FD"] = std::to_string(store.fd.get());
    request.kept_fd = store.fd.get();
  }
  return request;
}

}  // namespace

RankProcesses::RankProcesses(const std::vector<RankCommand>& commands, const std::vector<std::vector<int>>& core_shares,
                             RankListener listener)
    : listener_(std::move(listener)) {
  // Our end of the socket closes with this function: once rank 0 is gone, nobody can connect and wait for an answer.
  const auto store = open_store_socket();
  ranks_.reserve(commands.size());
  try {
    for (std::size_t rank = 0; rank < commands.size(); ++rank) {
      auto request = request_for(commands[rank], store, rank == 0);
      if (!core_shares.empty()) request.cores = core_shares.at(rank);
      ranks_.emplace_back(rank, start_child(request), listener_);
    }
  } catch (...) {
    end_all();
    throw;
  }
}

RankProcesses::~RankProcesses() { end_all(); }

LaunchEnd RankProcesses::watch(SignalInbox& inbox, const Patience& patience) {
  LaunchEnd end;
  while (true) {
    inbox.receive();
    for (auto& rank : ranks_) rank.read_output();
    reap_ended(end, patience);
    if (!any_running()) break;
    obey(inbox, end, patience);
    kill_the_late();
    wait_for_news(inbox);
  }
  for (const auto& rank : ranks_) end.ranks.push_back(rank.end());
  end.wall_seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  return end;
}

void RankProcesses::wait_for_news(const SignalInbox& inbox) const {
  std::vector<pollfd> polled{{inbox.fd(), POLLIN, 0}};
  for (const auto& rank : ranks_) {
    polled.push_back({rank.out_fd(), POLLIN, 0});
    polled.push_back({rank.err_fd(), POLLIN, 0});
  }
  int timeout_ms = -1;
  if (deadline_ && !killed_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now());
    timeout_ms = static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
  }
  ::poll(polled.data(), polled.size(), timeout_ms);
}

void RankProcesses::reap_ended(LaunchEnd& end, const Patience& patience) {
  std::vector<std::size_t> broken;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].reap() && !ranks_[rank].end().clean()) broken.push_back(rank);
  }
  if (broken.empty()) return;
  // Of ranks that are found together, one that was killed is the cause and one that gave up is a witness.
  const auto was_killed = [this](std::size_t rank) { return ranks_[rank].end().signal != 0; };
  const auto cause = std::find_if(broken.begin(), broken.end(), was_killed);
  if (end.first_failed < 0) end.first_failed = static_cast<std::ptrdiff_t>(cause == broken.end() ? broken.front() : *cause);
  ask_to_end(patience.after_failure);
}

void RankProcesses::obey(const SignalInbox& inbox, LaunchEnd& end, const Patience& patience) {
  if (inbox.stops() == 0) return;
  if (!end.stopped_by_signal) {
    end.stopped_by_signal = true;
    end.stop_signal = inbox.stop_signal();
    ask_to_end(patience.after_stop);
  }
  if (inbox.stops() > 1) deadline_ = Clock::now();
}

void RankProcesses::ask_to_end(std::chrono::milliseconds patience) {
  if (deadline_) return;
  deadline_ = Clock::now() + patience;
  signal_all(SIGTERM);
}

void RankProcesses::kill_the_late() {
  if (killed_ || !deadline_ || Clock::now() < *deadline_) return;
  signal_all(SIGKILL);
  killed_ = true;
}

void RankProcesses::signal_all(int signal) const {
  for (const auto& rank : ranks_) rank.signal_group(signal);
}

bool RankProcesses::any_running() const {
  return std::any_of(ranks_.begin(), ranks_.end(), [](const RankProcess& rank) { return rank.is_running(); });
}

void RankProcesses::end_all() {
  signal_all(SIGKILL);
  while (any_running()) {
    for (auto& rank : ranks_) rank.reap();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace ddpbench
