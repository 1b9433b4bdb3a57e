#include "suite/launch/local/local_launch.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/processes/core_variables.hpp"
#include "suite/contract/processes/driver_death.hpp"
#include "suite/contract/processes/stack_signal.hpp"
#include "suite/contract/processes/store_address.hpp"
#include "suite/launch/local/core_binding.hpp"

namespace ddpbench {
namespace {

ChildRequest request_for(const LaunchCommand& command, std::size_t rank) {
  ChildRequest request{command.tokens, command.environment, {}, {}};
  for (const auto& name : command.numbered) request.environment[name] = std::to_string(rank);
  return request;
}

}  // namespace

LocalLaunch::LocalLaunch(const LaunchSpec& spec, const LaunchCommand& command, Supervision supervision)
    : SupervisedLaunch(spec, rank_names(spec.ranks_per_node), std::move(supervision)),
      heartbeats_(static_cast<std::size_t>(spec.ranks_per_node)) {
  try {
    start_ranks(command, spec.protocol.hang_timeout_seconds);
  } catch (...) {
    end_all();
    throw;
  }
}

LocalLaunch::~LocalLaunch() { end_all(); }

void LocalLaunch::end_all() {
  signal_all(SIGKILL);
  for (; any_running(); std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    for (auto& rank : ranks_) rank.reap();
  }
  subreaper_.end_all();
}

// A rank whose process does not come to its program stands still as well, before anybody can watch it.
void LocalLaunch::start_ranks(const LaunchCommand& command, double hang_timeout_seconds) {
  const auto store = to_text(new_store_address());
  const auto count = static_cast<std::size_t>(command.copies);
  const auto layout = node_layout(allowed_cores());
  const auto shares = share_layout(layout, count);
  const auto mains = main_cores(layout, count);
  ranks_.reserve(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    auto request = request_for(command, rank);
    request.environment[kStoreVariable] = store;
    request.environment[kHeartbeatsVariable] = heartbeats_.path();
    request.environment[kDriverVariable] = std::to_string(::getpid());  // the user's own may say anything
    request.begins_within = std::chrono::duration<double>(hang_timeout_seconds);
    if (!shares.empty()) request.cores = numbers_of(shares.at(rank));
    request.environment[kMainCoreVariable] =
        mains.empty() ? "" : std::to_string(mains.at(rank));  // the user's own may say anything
    try {
      ranks_.emplace_back(rank, start_child(request), listener());
    } catch (const DidNotBegin& error) {
      throw CannotRun("rank " + std::to_string(rank) + " hangs before its first step: " + error.what());
    }
  }
}

std::optional<LaunchEnd> LocalLaunch::poll() {
  for (auto& rank : ranks_) rank.read_output();
  reap_ended();
  if (!any_running()) {
    subreaper_.end_all();
    return end();
  }
  look_for_hang();
  terminate_stragglers();
  return std::nullopt;
}

void LocalLaunch::reap_ended() {
  std::optional<std::size_t> broken;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].reap() && !ranks_[rank].end().clean() && !broken) broken = rank;
  }
  if (!broken) return;
  if (first_failed_ < 0 && !hang()) first_failed_ = static_cast<std::ptrdiff_t>(*broken);
  end_after_failure(*broken, ranks_[*broken].end().may_have_given_up());
}

LaunchEnd LocalLaunch::end() const {
  LaunchEnd end;
  for (const auto& rank : ranks_) end.ranks.emplace_back(rank.end());
  end.hang = hang();
  end.first_failed = first_failed_ < 0 && hang() ? std::max<std::ptrdiff_t>(hang()->rank, 0) : first_failed_;
  end.wall_seconds = wall_seconds();
  return end;
}

std::vector<ProcessActivity> LocalLaunch::activities() const {
  std::vector<ProcessActivity> all;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    all.push_back(observe_process(ranks_[rank].pid(), &heartbeats_.of(rank)));
  return all;
}

std::vector<bool> LocalLaunch::running() const {
  std::vector<bool> all;
  for (const auto& rank : ranks_) all.push_back(rank.is_running());
  return all;
}

std::vector<int> LocalLaunch::output() const {
  std::vector<int> fds;
  for (const auto& rank : ranks_) fds.insert(fds.end(), {rank.out_fd(), rank.err_fd()});
  return fds;
}

void LocalLaunch::ask_for_stacks() {
  for (const auto& rank : ranks_) {
    if (rank.is_running()) ::kill(rank.pid(), kStackSignal);
  }
}

void LocalLaunch::terminate_ranks() { signal_all(SIGTERM); }
void LocalLaunch::kill_all() { signal_all(SIGKILL); }

void LocalLaunch::signal_all(int signal) {
  for (auto& rank : ranks_) rank.signal_group(signal);
}

bool LocalLaunch::any_running() const {
  return std::any_of(ranks_.begin(), ranks_.end(), [](const RankProcess& rank) { return rank.is_running(); });
}

}  // namespace ddpbench
