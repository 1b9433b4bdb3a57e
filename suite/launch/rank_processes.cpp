#include "suite/launch/rank_processes.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "suite/launch/store_socket.hpp"

namespace ddpbench {
namespace {

// How often ranks are looked at: a hang is found within two of these, and the looks themselves must cost nothing.
std::chrono::duration<double> look_interval(const Patience& patience) {
  return std::clamp(patience.hang / 10, std::chrono::duration<double>(0.1), std::chrono::duration<double>(1.5));
}

// Ranks give up waiting at the patience's end and say more than the driver can: it waits a little longer.
constexpr std::chrono::duration<double> kRanksFirst{1};

ChildRequest request_for(const RankCommand& command, const StoreSocket& store, bool is_first) {
  ChildRequest request{command.tokens, command.environment, {}, {}};
  request.environment["MASTER_PORT"] = std::to_string(store.port);
  if (is_first) {
    request.environment["DDPBENCH_STORE_FD"] = std::to_string(store.fd.get());
    request.kept_fds.push_back(store.fd.get());
  }
  return request;
}

}  // namespace

RankProcesses::RankProcesses(const std::vector<RankCommand>& commands, const std::vector<std::vector<int>>& core_shares,
                             RankListener listener)
    : listener_(std::move(listener)), hang_watch_(commands.size()) {
  // Our end of the socket closes with this function: once rank 0 is gone, nobody can connect and wait for an answer.
  const auto store = open_store_socket();
  ranks_.reserve(commands.size());
  try {
    for (std::size_t rank = 0; rank < commands.size(); ++rank) {
      auto request = request_for(commands[rank], store, rank == 0);
      request.environment[kHeartbeatVariable] = std::to_string(hang_watch_.fd_of(rank));
      request.kept_fds.push_back(hang_watch_.fd_of(rank));
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
    look_for_hang(end, patience);
    kill_the_late();
    wait_for_news(inbox, patience);
  }
  for (const auto& rank : ranks_) end.ranks.push_back(rank.end());
  end.wall_seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  return end;
}

void RankProcesses::wait_for_news(const SignalInbox& inbox, const Patience& patience) const {
  std::vector<pollfd> polled{{inbox.fd(), POLLIN, 0}};
  for (const auto& rank : ranks_) {
    polled.push_back({rank.out_fd(), POLLIN, 0});
    polled.push_back({rank.err_fd(), POLLIN, 0});
  }
  int timeout_ms = -1;
  if (!deadline_ && patience.hang.count() > 0) timeout_ms = static_cast<int>(std::ceil(1e3 * look_interval(patience).count()));
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
  if (!deadline_ && patience.hang.count() > 0) {
    end.hang = hang_watch_.given_up_by(static_cast<std::size_t>(end.first_failed), pids(), patience.hang / 2);
  }
  ask_to_end(patience.after_failure);
}

// One hang is one failure, of the rank that the others wait for.
void RankProcesses::look_for_hang(LaunchEnd& end, const Patience& patience) {
  if (deadline_ || patience.hang.count() <= 0) return;
  const auto running = pids();
  hang_watch_.look(running, Clock::now(), std::chrono::duration_cast<Clock::duration>(look_interval(patience)));
  end.hang = hang_watch_.all_still(running, patience.hang + kRanksFirst);
  if (!end.hang) return;
  end.first_failed = std::max<std::ptrdiff_t>(end.hang->rank, 0);
  ask_to_end(patience.after_failure);
}

std::vector<pid_t> RankProcesses::pids() const {
  std::vector<pid_t> all;
  for (const auto& rank : ranks_) all.push_back(rank.pid());
  return all;
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
