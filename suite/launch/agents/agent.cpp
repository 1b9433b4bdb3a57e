#include "suite/launch/agents/agent.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/tcp.hpp"
#include "suite/contract/processes/driver_death.hpp"
#include "suite/contract/processes/rank_info.hpp"
#include "suite/contract/processes/stack_signal.hpp"
#include "suite/contract/processes/store_address.hpp"
#include "suite/launch/agents/agent_messages.hpp"
#include "suite/launch/agents/channel.hpp"
#include "suite/launch/agents/local_parts.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/agents/torchrun_output.hpp"
#include "suite/launch/machines/this_machine.hpp"
#include "suite/launch/processes/child_process.hpp"
#include "suite/launch/processes/child_subreaper.hpp"
#include "suite/launch/processes/output_lines.hpp"
#include "suite/launch/processes/process_state.hpp"
#include "suite/launch/processes/signal_inbox.hpp"
#include "suite/launch/supervision/heartbeat_memory.hpp"

namespace ddpbench {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::seconds kToReachTheDriver{30};
constexpr std::chrono::seconds kOneTry{3};
constexpr std::chrono::minutes kToSayGoodbye{2};       // the other ranks may still be ending
constexpr std::size_t kMostUnsentBytes = 1U << 20;     // of a rank that says more than its connection takes: it waits
constexpr std::chrono::minutes kDriverMayBeSilent{2};  // until it says how long: a machine that is gone says no goodbye

std::string required_variable(const char* name) {
  auto value = environment_variable(name);
  if (value.empty())
    throw CannotRun(std::string("environment variable ") + name + " is not set: an agent is started by ddpbench");
  return value;
}

// By any of its addresses: a name may be unknown here, an address may be that of another network.
FileDescriptor connected_to_driver(const std::string& places) {
  const auto deadline = Clock::now() + kToReachTheDriver;
  std::string why = "no address is given";
  while (true) {
    std::istringstream words(places);
    for (std::string word; words >> word;) {
      const auto endpoint = endpoint_from(word);
      if (!endpoint) continue;
      try {
        return connected_tcp(*endpoint, kOneTry);
      } catch (const Error& error) {
        why = error.what();
      }
    }
    if (Clock::now() >= deadline) throw CannotRun("the driver cannot be reached from " + host_name() + ": " + why);
    std::this_thread::sleep_for(100ms);
  }
}

// At which the other ranks reach this node: as it was chosen, else as it is on the way to the driver.
std::string address_of(const Channel& channel, const std::string& meet_by) {
  const AddressChoice choice{option_value(meet_by, kInterfaceOption), option_value(meet_by, kFamilyOption)};
  if (!meet_by.empty() && choice.is_made()) return chosen_address(own_addresses(), choice, host_name());
  return local_end(channel.socket()).host;
}

// A started rank: its process, what it writes, its heartbeat.
struct Rank {
  ChildProcess child;
  OutputLines out{std::move(child.out)}, err{std::move(child.err)};
  bool was_asked = false;  // to end, before it had begun to
};

class Agent {
 public:
  Agent();
  ExitCode run();

 private:
  void send_hello();
  void obey(const Words& message);
  void start(AgentStart order);
  void hand_over_parts();
  void tend_rank();
  void tell_end(const ChildEnd& end);
  void look();
  void sleep(const SignalInbox& inbox) const;
  void signal_rank(int signal);
  void say_goodbye();
  ExitCode code_of_end() const;

  RankInfo info_;
  Channel channel_;
  std::string meet_by_, address_;
  std::optional<FileDescriptor> listener_;  // rank 0: at which its launch's ranks are to meet
  ChildSubreaper subreaper_;                // what the rank has forked away
  HeartbeatMemory heartbeats_;
  std::unique_ptr<const LocalParts> parts_;
  std::optional<Rank> rank_;
  std::chrono::duration<double> look_interval_{1};
  Clock::time_point looked_ = Clock::now();
  bool has_ended_ = false, ended_well_ = false;
};

Agent::Agent()
    : info_(rank_numbers_from(process_environment, required_variable(kLauncherVariable))),
      channel_(connected_to_driver(required_variable(kDriverAtVariable))),
      meet_by_(environment_variable(kMeetByVariable)),
      heartbeats_(static_cast<std::size_t>(info_.local_rank) + 1) {
  channel_.trust();
  set_peer_timeout(channel_.socket(), kDriverMayBeSilent);
}

void Agent::send_hello() {
  address_ = address_of(channel_, meet_by_);
  if (info_.rank == 0) listener_.emplace(listening_tcp(address_, port_range(option_value(meet_by_, kPortsOption))));
  const auto port = listener_ ? local_end(*listener_).port : std::uint16_t{0};
  const AgentHello hello{
      info_.rank, info_.world_size, info_.local_rank, host_name(), address_, port, node_layout(allowed_cores())};
  channel_.send(joined({agent_verb::kHello, required_variable(kSecretVariable)}, to_message(hello)));
}

ExitCode Agent::run() {
  SignalInbox inbox;
  try {
    send_hello();
  } catch (const std::exception& error) {
    channel_.send({agent_verb::kUnable, required_variable(kSecretVariable), error.what()});
    has_ended_ = true;
  }
  int obeyed = 0;
  while (!has_ended_ && channel_.is_open()) {
    inbox.receive();
    while (const auto message = channel_.receive()) obey(*message);
    if (!channel_.is_open()) break;                                 // the driver's death may be why a signal has come
    for (; obeyed < inbox.stops(); ++obeyed) signal_rank(SIGTERM);  // a batch system tells all processes of a job
    if (obeyed > 0 && !rank_) return ExitCode::kStopped;
    if (rank_ && !has_ended_) tend_rank();
    channel_.send_rest();
    if (!has_ended_ && channel_.is_open()) sleep(inbox);
  }
  if (has_ended_) {
    say_goodbye();
    return code_of_end();
  }
  signal_rank(SIGKILL);
  for (int i = 0; rank_ && i < 100 && !reap_child(rank_->child.pid); ++i) std::this_thread::sleep_for(20ms);
  subreaper_.end_all();
  std::cerr << "ddpbench agent: the driver is gone; the rank on " + host_name() + " ends too\n" << std::flush;
  return ExitCode::kCouldNotRun;
}

void Agent::obey(const Words& message) {
  if (message.empty()) return;
  const auto& verb = message.front();
  if (verb == agent_verb::kStart && !rank_) start(start_from({message.begin() + 1, message.end()}));
  if (verb == agent_verb::kStack && rank_) ::kill(rank_->child.pid, kStackSignal);
  if (verb == agent_verb::kTerminate) signal_rank(SIGTERM);
  if (verb == agent_verb::kKill) signal_rank(SIGKILL);
  if ((verb == agent_verb::kTerminate || verb == agent_verb::kKill) && !rank_) channel_.close();
}

void Agent::start(AgentStart order) {
  look_interval_ = std::chrono::duration<double>(order.look_seconds);
  if (order.patience_seconds > 0) {
    const std::chrono::duration<double> patience(order.patience_seconds);
    set_peer_timeout(channel_.socket(), std::chrono::ceil<std::chrono::milliseconds>(patience));
  }
  try {
    parts_ = LocalParts::where_needed(order);
  } catch (const std::exception& error) {
    channel_.send({agent_verb::kFailed, host_name() + " does not see " + order.part_dir + ", and: " + error.what()});
    has_ended_ = true;
    return;
  }
  ChildRequest request{order.tokens, order.environment, order.cores, {}, order.folder};
  request.environment[kHeartbeatsVariable] = heartbeats_.path();
  request.environment[kDriverVariable] = std::to_string(::getpid());
  request.environment[kOwnAddressVariable] = address_;
  if (listener_) {
    request.environment[kStoreListenerVariable] = std::to_string(listener_->number());
    request.kept_fds.push_back(listener_->number());
  }
  if (order.patience_seconds > 0) request.begins_within = std::chrono::duration<double>(order.patience_seconds);
  try {
    rank_.emplace(Rank{start_child(request)});
  } catch (const CannotRun& error) {
    channel_.send({agent_verb::kFailed, error.what()});
    has_ended_ = true;
  }
  listener_.reset();  // the rank's own from now on
}

void Agent::tend_rank() {
  const auto say = [this](const char* verb) {
    return [this, verb](std::string_view line) { channel_.send({verb, std::string(line)}); };
  };
  if (channel_.unsent_bytes() < kMostUnsentBytes) {
    rank_->out.read(say(agent_verb::kOut));
    rank_->err.read(say(agent_verb::kErr));
  }
  if (const auto ended = reap_child(rank_->child.pid)) {
    subreaper_.end_all();
    rank_->out.finish(say(agent_verb::kOut));
    rank_->err.finish(say(agent_verb::kErr));
    return tell_end(*ended);
  }
  if (Clock::now() - looked_ >= look_interval_) look();
}

void Agent::tell_end(const ChildEnd& end) {
  look();
  hand_over_parts();
  channel_.send({agent_verb::kEnded, std::to_string(end.exit_code), std::to_string(end.signal), rank_->was_asked ? "1" : "0",
                 end.why_killed});
  has_ended_ = true;
  ended_well_ = end.exit_code == 0 && end.signal == 0;
}

void Agent::hand_over_parts() {
  try {
    if (parts_) parts_->hand_over(info_.rank, channel_);
  } catch (const std::exception& error) {
    channel_.send({agent_verb::kErr, error.what()});
  }
}

void Agent::look() {
  const auto& heartbeat = heartbeats_.of(static_cast<std::size_t>(info_.local_rank));
  channel_.send(joined({agent_verb::kActivity}, to_message(observe_process(rank_->child.pid, &heartbeat))));
  looked_ = Clock::now();
}

// The rank's end is told by the inbox: SIGCHLD.
void Agent::sleep(const SignalInbox& inbox) const {
  const short wanted = channel_.has_unsent() ? POLLIN | POLLOUT : POLLIN;
  std::vector<pollfd> polled{{inbox.fd(), POLLIN, 0}, {channel_.fd(), wanted, 0}};
  if (rank_ && channel_.unsent_bytes() < kMostUnsentBytes)
    polled.insert(polled.end(), {{rank_->out.fd(), POLLIN, 0}, {rank_->err.fd(), POLLIN, 0}});
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(look_interval_ - (Clock::now() - looked_)).count();
  ::poll(polled.data(), polled.size(), rank_ ? static_cast<int>(std::max<std::int64_t>(wait, 0)) : -1);
}

void Agent::signal_rank(int signal) {
  if (!rank_) return;
  if (!process_state(rank_->child.pid).ending) rank_->was_asked = true;
  ::kill(-rank_->child.pid, signal);
  if (signal == SIGTERM) ::kill(-rank_->child.pid, SIGCONT);  // one that is stopped hears it only then
}

// The driver closes the connection when it has heard the end of every rank: who closes first may take words away that are still on their way.
void Agent::say_goodbye() {
  const auto deadline = Clock::now() + kToSayGoodbye;
  while (channel_.is_open() && Clock::now() < deadline) {
    channel_.send_rest();
    while (channel_.receive()) {  // it came too late
    }
    if (!channel_.is_open()) return;
    pollfd polled{channel_.fd(), static_cast<short>(channel_.has_unsent() ? POLLIN | POLLOUT : POLLIN), 0};
    ::poll(&polled, 1, 100);
  }
}

// The driver has heard how the rank ended; its launcher is told where that helps. A torchrun whose ranks all did well waits for those of other
// nodes, five minutes and deaf to SIGTERM, even where they are gone.
ExitCode Agent::code_of_end() const {
  const bool is_below_torchrun = environment_variable(kLauncherVariable) == kTorchrun;
  return is_below_torchrun && !ended_well_ ? ExitCode::kDoneWithFailures : ExitCode::kDone;
}

}  // namespace

std::vector<std::string> agent_command(const Installation& installation) {
  std::vector<std::string> command;
  std::istringstream before(environment_variable(kNodeCommandVariable));
  for (std::string word; before >> word;) command.push_back(word);
  command.push_back(installation.program.string());
  command.emplace_back(kAgentWord);
  return command;
}

ExitCode run_agent() { return Agent().run(); }

}  // namespace ddpbench
