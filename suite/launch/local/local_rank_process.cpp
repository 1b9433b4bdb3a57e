#include "suite/launch/local/local_rank_process.hpp"

#include <signal.h>

#include <string>

#include "suite/launch/processes/process_state.hpp"

namespace ddpbench {

RankProcess::RankProcess(std::size_t rank, ChildProcess child, const LaunchListener& listener)
    : rank_(rank), pid_(child.pid), out_(std::move(child.out)), err_(std::move(child.err)), listener_(listener) {}

void RankProcess::read_output() {
  out_.read([this](std::string_view line) { take_line(line, false); });
  err_.read([this](std::string_view line) { take_line(line, true); });
}

void RankProcess::signal_group(int signal) {
  if (!running_) return;
  if (!process_state(pid_).ending) end_.was_asked = true;
  ::kill(-pid_, signal);
  if (signal == SIGTERM) ::kill(-pid_, SIGCONT);  // one that is stopped hears it only then
}

bool RankProcess::reap() {
  const auto ended = running_ ? reap_child(pid_) : std::nullopt;
  if (!ended) return false;
  end_.note(*ended);
  running_ = false;
  out_.finish([this](std::string_view line) { take_line(line, false); });
  err_.finish([this](std::string_view line) { take_line(line, true); });
  return true;
}

void RankProcess::take_line(std::string_view line, bool is_error) {
  if (is_error) end_.last_lines.add(line);
  hand_on(rank_, line, listener_);
}

void hand_on(std::size_t rank, std::string_view line, const LaunchListener& listener) {
  const auto progress = rank == 0 ? parse_progress(line) : std::nullopt;
  if (progress && listener.progressed) {
    listener.progressed(*progress);
  } else if (listener.said) {
    listener.said("rank " + std::to_string(rank), line);
  }
}

}  // namespace ddpbench
