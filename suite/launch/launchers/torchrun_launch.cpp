#include "suite/launch/launchers/torchrun_launch.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "suite/base/numbers.hpp"
#include "suite/contract/processes/driver_death.hpp"
#include "suite/contract/processes/stack_signal.hpp"
#include "suite/contract/processes/store_address.hpp"
#include "suite/launch/launchers/torchrun_launcher.hpp"
#include "suite/launch/local/local_rank_process.hpp"
#include "suite/launch/processes/process_state.hpp"
#include "suite/launch/processes/system_call.hpp"

namespace ddpbench {
namespace {

// As a file that nobody else can open, and that goes with this process. torchrun takes what it finds in its rendezvous for Python objects: in the store
// on a port that it would open by default, anybody on this machine could put one.
FileDescriptor rendezvous_memory() {
  return FileDescriptor(checked(::memfd_create("torchrun-rendezvous", MFD_CLOEXEC), "cannot make memory for torchrun"));
}

ChildProcess start_torchrun_process(const LaunchCommand& command, const HeartbeatMemory& heartbeats,
                                    const FileDescriptor& rendezvous, double hang_timeout_seconds) {
  ChildRequest request{command.tokens, command.environment, {}, {}};
  request.begins_within = std::chrono::duration<double>(hang_timeout_seconds);
  const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(rendezvous.number());
  request.tokens.insert(std::find(request.tokens.begin(), request.tokens.end(), kNoPython), {"--rdzv-endpoint", path});
  request.environment[kStoreVariable] = to_text(new_store_address());
  request.environment[kHeartbeatsVariable] = heartbeats.path();
  request.environment[kDriverVariable] = std::to_string(::getpid());
  return start_child(request);
}

}  // namespace

TorchrunLaunch::TorchrunLaunch(const LaunchSpec& spec, const LaunchCommand& command, Supervision supervision)
    : SupervisedLaunch(spec, rank_names(spec.ranks_per_node), std::move(supervision)),
      ranks_(static_cast<std::size_t>(spec.ranks_per_node)),
      heartbeats_(ranks_),
      rendezvous_(rendezvous_memory()),
      child_(start_torchrun_process(command, heartbeats_, rendezvous_, spec.protocol.hang_timeout_seconds)),
      out_(std::move(child_.out)),
      err_(std::move(child_.err)) {}

TorchrunLaunch::~TorchrunLaunch() { subreaper_.end_all(); }

std::optional<LaunchEnd> TorchrunLaunch::poll() {
  out_.read([this](std::string_view line) { hear(line, false); });
  err_.read([this](std::string_view line) { hear(line, true); });
  if (reap()) return end();
  if (words_.tells_of_the_end() && !is_ending()) {
    has_failed_rank_ = true;
    first_ended_ = ended_rank();
    end_after_failure(first_ended_.value_or(0));  // how it ended, torchrun tells later
  }
  look_for_hang();
  terminate_stragglers();
  if (told_until_ && Termination::Clock::now() > *told_until_) ::kill(-child_.pid, SIGKILL);
  return std::nullopt;
}

void TorchrunLaunch::hear(std::string_view line, bool is_error) {
  const auto labelled = without_label(line);
  if (!labelled || labelled->rank >= ranks_) return hear_own(line);
  if (is_error) last_lines_[labelled->rank].add(labelled->text);
  hand_on(labelled->rank, labelled->text, listener());
}

// What it says of an end that is known is told by the launch's own reason: its traceback is not shown.
void TorchrunLaunch::hear_own(std::string_view line) {
  words_.hear(line);
  own_end_.last_lines.add(line);
  const bool is_news = !is_ending() && !words_.tells_of_the_end();
  if (is_news && listener().said) listener().said(kTorchrun, line);
}

bool TorchrunLaunch::reap() {
  const auto ended = reap_child(child_.pid);
  if (!ended) return false;
  own_end_.note(*ended);
  why_killed_ = ended->why_killed.empty() ? why_killed() : ended->why_killed;
  running_ = false;
  subreaper_.end_all();
  out_.finish([this](std::string_view line) { hear(line, false); });
  err_.finish([this](std::string_view line) { hear(line, true); });
  return true;
}

LaunchEnd TorchrunLaunch::end() const {
  LaunchEnd end;
  end.ranks = ends_by_rank();
  end.hang = hang();
  end.wall_seconds = wall_seconds();
  const auto told = words_.first_failed(stragglers_);
  if (const auto first = told ? told : first_ended_; first && *first < ranks_) {
    end.first_failed = static_cast<std::ptrdiff_t>(*first);
  } else if (hang()) {
    end.first_failed = std::max<std::ptrdiff_t>(hang()->rank, 0);
  } else if (words_.tells_of_the_end() && own_end_.signal == SIGKILL) {
    end.launcher_failure = "a rank failed, and torchrun could not end the others in time";
  } else if (!own_end_.clean()) {
    end.launcher_failure = how_ended(kTorchrun, own_end_);
  }
  return end;
}

// torchrun tells of every rank that failed, or of none where it did not get so far.
std::vector<std::optional<ProcessEnd>> TorchrunLaunch::ends_by_rank() const {
  std::vector<std::optional<ProcessEnd>> ends(ranks_);
  const bool are_known = own_end_.clean() || !words_.failures().empty();
  for (std::size_t rank = 0; are_known && rank < ranks_; ++rank) {
    const auto failure = words_.failures().find(rank);
    ends[rank] = failure == words_.failures().end() ? ProcessEnd{} : failure->second;
    ends[rank]->was_asked = stragglers_.contains(rank);
    if (ends[rank]->signal == SIGKILL && !ends[rank]->was_asked) ends[rank]->why_killed = why_killed_;
    if (const auto lines = last_lines_.find(rank); lines != last_lines_.end()) ends[rank]->last_lines = lines->second;
  }
  return ends;
}

std::optional<std::size_t> TorchrunLaunch::ended_rank() const {
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    const auto pid = heartbeats_.pid_of(rank);
    if (pid > 0 && !process_state(pid).running) return rank;
  }
  return std::nullopt;
}

// The processes below torchrun that are ranks, whether they have come to say so or not.
std::map<std::size_t, pid_t> TorchrunLaunch::started_ranks() const {
  std::map<std::size_t, pid_t> started;
  for (const auto child : children_of(child_.pid)) {
    if (const auto rank = parse_number<std::size_t>(variable_of(child, "LOCAL_RANK"))) started[*rank] = child;
  }
  return started;
}

// Takes torchrun's pid for a rank that it has not started.
std::vector<pid_t> TorchrunLaunch::pids() const {
  std::vector<pid_t> all;
  std::optional<std::map<std::size_t, pid_t>> started;
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    if (const auto pid = heartbeats_.pid_of(rank); pid > 0) {
      all.push_back(process_state(pid).running ? pid : -1);
      continue;
    }
    if (!started) started = started_ranks();
    const auto found = started->find(rank);
    all.push_back(found == started->end() ? launcher() : found->second);
  }
  return all;
}

// A launcher reads its own news for ever: what it has read is no sign of a rank that comes.
std::vector<ProcessActivity> TorchrunLaunch::activities() const {
  std::vector<ProcessActivity> all;
  for (const auto pid : pids()) all.push_back(observe_process(pid, pid == launcher() ? nullptr : &heartbeats_.of(all.size())));
  return all;
}

std::vector<bool> TorchrunLaunch::running() const {
  std::vector<bool> all;
  for (const auto pid : pids()) all.push_back(pid > 0);
  return all;
}

std::vector<int> TorchrunLaunch::output() const { return {out_.fd(), err_.fd()}; }

void TorchrunLaunch::ask_for_stacks() {
  for (const auto& [rank, pid] : started_ranks()) ::kill(pid, kStackSignal);
}

// A second signal would interrupt torchrun's report of a failure.
void TorchrunLaunch::terminate_ranks() {
  if (!running_) return;
  if (!words_.tells_of_the_end()) ::kill(-child_.pid, SIGTERM);
  ::kill(-child_.pid, SIGCONT);  // who is stopped hears it only then
  for (const auto rank : children_of(child_.pid)) ::kill(-rank, SIGCONT);
}

// The ranks first: torchrun's death would make them ours one by one. Where one has failed torchrun alone knows how, and tells it when the
// last of the others has ended.
void TorchrunLaunch::kill_all() {
  if (!running_) return;
  for (const auto& [rank, pid] : started_ranks()) stragglers_.insert(rank);
  for (const auto rank : children_of(child_.pid)) ::kill(-rank, SIGKILL);
  if (has_failed_rank_) {
    told_until_ = Termination::Clock::now() + patience().last_words;
  } else {
    ::kill(-child_.pid, SIGKILL);
  }
}

}  // namespace ddpbench
