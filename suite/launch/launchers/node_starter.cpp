#include "suite/launch/launchers/node_starter.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>

#include "suite/base/deadline.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/processes/rank_info.hpp"
#include "suite/launch/processes/child_process.hpp"
#include "suite/launch/processes/signal_inbox.hpp"

namespace ddpbench {
namespace {

constexpr const char* kNodeRank = "NODE_RANK";
constexpr int kSignalled = 128;  // as a shell says it

// What ends one copy may end the others too, and how is theirs to say: the death of a driver, a peer that is gone.
constexpr std::chrono::seconds kToEndBeforeOthers{2};
constexpr int kMostAsked = 4;  // who then stands still is killed
using Clock = std::chrono::steady_clock;

struct NodeOrder {
  std::int64_t node = 0, nodes = 1, copies = 1;
  std::vector<std::string> tokens;
};

NodeOrder order_from(const std::vector<std::string>& arguments) {
  if (arguments.size() > 2) {
    const auto node = parse_number<std::int64_t>(environment_variable(kNodeRank));
    const auto nodes = parse_number<std::int64_t>(arguments[0]), copies = parse_number<std::int64_t>(arguments[1]);
    const bool is_order = node && nodes && copies && *node >= 0 && *node<*nodes&& * copies> 0;
    if (is_order) return {*node, *nodes, *copies, {arguments.begin() + 2, arguments.end()}};
  }
  throw UsageError(std::string(kNodeWord) + " must be followed by NODES COPIES PROGRAM [ARGUMENT]…, and " + kNodeRank +
                   " be set, from 0 and below NODES");
}

// Device numbers may be sent to another node, unless its batch system has said which are its own. The names of devices (UUIDs) are valid on one node only.
bool is_for_any_node(const std::string& name, const std::string& devices) {
  return environment_variable(name.c_str()).empty() && !devices.starts_with("GPU-") && !devices.starts_with("MIG-");
}

void take_over_environment(std::istream& from) {
  for (std::string entry; std::getline(from, entry, '\0');) {
    const auto name = entry.substr(0, entry.find('='));
    if (name.empty() || name.size() == entry.size() || is_of_a_session(name)) continue;
    if (name.ends_with("VISIBLE_DEVICES") && !is_for_any_node(name, entry.substr(name.size() + 1))) continue;
    ::setenv(name.c_str(), entry.c_str() + name.size() + 1, 1);
  }
}

// The last is for a torchrun that is itself the program.
std::map<std::string, std::string> variables_of(const NodeOrder& order, std::int64_t copy) {
  auto variables = rank_variables(order.node * order.copies + copy, order.nodes * order.copies, order.copies);
  variables["PET_NODE_RANK"] = std::to_string(order.node);
  return variables;
}

class Copies {
 public:
  explicit Copies(const NodeOrder& order) {
    for (std::int64_t copy = 0; copy < order.copies; ++copy) {
      ChildRequest request{order.tokens, variables_of(order, copy), {}, {}};
      request.shares_output = true;
      running_.push_back(start_child(request).pid);
    }
  }

  bool any() const { return !running_.empty(); }

  void signal(int number) const {
    for (const auto pid : running_) ::kill(-pid, number);
  }

  // The first failure; 0: none yet.
  int reap() {
    for (auto pid = running_.begin(); pid != running_.end();) {
      const auto ended = reap_child(*pid);
      pid = ended ? running_.erase(pid) : std::next(pid);
      if (ended && failure_ == 0) failure_ = ended->signal != 0 ? kSignalled + ended->signal : ended->exit_code;
    }
    if (failure_ != 0 && end_others_at_ == kNever) end_others_at_ = Clock::now() + kToEndBeforeOthers;
    return failure_;
  }

  // Milliseconds until there is something to do; -1: none is known.
  int end_others() {
    if (end_others_at_ == kNever) return -1;
    if (Clock::now() >= end_others_at_) {
      signal(++asked_ > kMostAsked ? SIGKILL : SIGTERM);
      end_others_at_ = Clock::now() + kToEndBeforeOthers;
    }
    return milliseconds_until(end_others_at_);
  }

 private:
  std::vector<pid_t> running_;
  int failure_ = 0, asked_ = 0;
  static constexpr auto kNever = Clock::time_point::max();
  Clock::time_point end_others_at_ = kNever;
};

}  // namespace

bool is_of_a_session(const std::string& name) {
  constexpr std::array kNames{"_",   "DISPLAY", "HOME",  "HOST", "HOSTNAME", "LOGNAME", "LS_COLORS", "MAIL", "OLDPWD",
                              "PWD", "SHELL",   "SHLVL", "TEMP", "TERM",     "TMP",     "TMPDIR",    "USER", "XAUTHORITY"};
  constexpr std::array kBeginnings{"BASH_FUNC_", "DBUS_", "OMPI_", "PBS_", "PMI", "SLURM", "SSH_", "XDG_"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](const char* begin) { return name.starts_with(begin); });
}

std::vector<std::string> node_command(const std::string& ddpbench, std::int64_t nodes, std::int64_t copies,
                                      const std::vector<std::string>& of_each) {
  std::vector<std::string> command{ddpbench, kNodeWord, std::to_string(nodes), std::to_string(copies)};
  command.insert(command.end(), of_each.begin(), of_each.end());
  return command;
}

int run_on_node(const std::vector<std::string>& arguments) {
  const auto order = order_from(arguments);
  take_over_environment(std::cin);
  SignalInbox inbox;
  Copies copies(order);
  int failure = 0;
  for (int passed_on = 0; copies.any();) {
    pollfd polled{inbox.fd(), POLLIN, 0};
    ::poll(&polled, 1, copies.end_others());
    inbox.receive();
    for (; passed_on < inbox.stops(); ++passed_on) copies.signal(SIGTERM);
    failure = copies.reap();
  }
  return failure;
}

}  // namespace ddpbench
