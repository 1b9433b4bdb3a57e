#include "suite/launch/rank_process.hpp"

#include <signal.h>
#include <sys/wait.h>

#include "suite/launch/read_available.hpp"

namespace ddpbench {

RankProcess::RankProcess(std::size_t rank, ChildProcess child, const RankListener& listener)
    : rank_(rank), child_(std::move(child)), listener_(listener) {}

void RankProcess::read_output() {
  read_available(child_.out, out_text_);
  take_lines(out_text_, false);
  read_available(child_.err, err_text_);
  take_lines(err_text_, true);
}

void RankProcess::signal_group(int signal) const {
  if (running_) ::kill(-child_.pid, signal);
}

bool RankProcess::reap() {
  // Looked at first and reaped last: until then no new process can get its number, so the group is still its own.
  siginfo_t info{};
  if (!running_ || ::waitid(P_PID, static_cast<id_t>(child_.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
  if (info.si_pid == 0) return false;
  ::kill(-child_.pid, SIGKILL);
  int status = 0;
  ::waitpid(child_.pid, &status, 0);
  if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end_.exit_code = WEXITSTATUS(status);
  running_ = false;
  flush_output();
  return true;
}

void RankProcess::take_lines(std::string& text, bool is_error) {
  std::size_t start = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    take_line(std::string_view(text).substr(start, end - start), is_error);
    start = end + 1;
  }
  text.erase(0, start);
}

void RankProcess::take_line(std::string_view line, bool is_error) {
  if (const auto progress = rank_ == 0 ? parse_progress(line) : std::nullopt; progress && listener_.progressed) {
    listener_.progressed(*progress);
    return;
  }
  if (is_error && line.find_first_not_of(" \t\r") != std::string_view::npos) {
    end_.last_lines.emplace_back(line);
    if (end_.last_lines.size() > kKeptLines) end_.last_lines.pop_front();
  }
  if (listener_.said) listener_.said(rank_, line);
}

void RankProcess::flush_output() {
  read_output();
  child_.out.close();
  child_.err.close();
  if (!out_text_.empty()) take_line(out_text_, false);
  if (!err_text_.empty()) take_line(err_text_, true);
}

}  // namespace ddpbench
