#include "suite/launch/agents/agent_launch.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/tcp.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/processes/rank_info.hpp"
#include "suite/contract/processes/store_address.hpp"
#include "suite/launch/agents/local_parts.hpp"
#include "suite/launch/local/core_binding.hpp"
#include "suite/launch/local/local_rank_process.hpp"
#include "suite/launch/machines/this_machine.hpp"

namespace ddpbench {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kLauncherAfterRanks{10};  // srun takes a moment to hear of the last task's end
constexpr std::chrono::seconds kAgentsAfterKill{3};
constexpr std::size_t kMostClients = 512;
constexpr int kMostMessagesAtOnce = 64;  // of one rank: then the others and a signal have their turn

std::size_t ranks_of(const LaunchSpec& spec) { return static_cast<std::size_t>(spec.world_size()); }

std::vector<std::string> names_of(const AgentOrder& order, const LaunchSpec& spec) {
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < ranks_of(spec); ++rank) names.push_back(rank_on(rank, planned_host(order, spec, rank)));
  return names;
}

std::string places_of(const FileDescriptor& listener) {
  const auto port = local_end(listener).port;
  std::vector<std::string> places{to_text(Endpoint{host_name(), port})};
  for (const auto& own : own_addresses()) places.push_back(to_text(Endpoint{own.address, port}));
  return join(places, " ");
}

ChildRequest launcher_request(const AgentOrder& order, const FileDescriptor& listener, const std::string& secret,
                              std::chrono::duration<double> patience) {
  ChildRequest request{order.agents.tokens, order.agents.environment, {}, {}};
  request.environment[kDriverAtVariable] = places_of(listener);
  request.environment[kSecretVariable] = secret;
  request.environment[kLauncherVariable] = order.variables;
  request.environment[kMeetByVariable] = order.meet_by;
  request.begins_within = patience;
  return request;
}

}  // namespace

AgentLaunch::AgentLaunch(const LaunchSpec& spec, AgentOrder order, Supervision supervision)
    : SupervisedLaunch(spec, names_of(order, spec), std::move(supervision)),
      spec_(spec),
      order_(std::move(order)),
      secret_(new_store_address().secret),
      listener_(listening_tcp("", {})),
      mark_(mark_part_folder(spec.part_dir)),
      launcher_(launcher_request(order_, listener_, secret_, hang_timeout())),
      slots_(ranks_of(spec)) {
  for (std::size_t rank = 0; rank < slots_.size(); ++rank) {
    slots_[rank].end.host = planned_host(order_, spec_, rank);
    slots_[rank].activity.runs = true;
  }
}

std::optional<LaunchEnd> AgentLaunch::poll() {
  lengthen_silence();
  const auto say = [this](std::string_view line) {
    if (listener().said && !is_ending()) listener().said(order_.launcher, line);
  };
  launcher_.read(say);
  accept_connections();
  if (!started_ && all_are_there()) start_ranks();
  has_more_ = false;
  for (std::size_t rank = 0; rank < slots_.size(); ++rank) hear(rank);
  look_for_missing();
  look_for_silence();
  look_for_hang();
  terminate_stragglers();
  give_up_what_is_left();
  return is_over() ? std::optional(end()) : std::nullopt;
}

void AgentLaunch::accept_connections() {
  if (started_) return;
  while (auto socket = accepted_tcp(listener_)) {
    if (clients_.size() >= kMostClients) clients_.pop_front();  // who says nothing makes room
    set_no_delay(*socket);
    clients_.emplace_back(*std::move(socket));
  }
  for (auto client = clients_.begin(); client != clients_.end();) {
    const auto greeting = client->receive();
    const bool goes = !client->is_open() || (greeting && !give_slot(*client, *greeting));
    const bool has_slot = greeting && !goes;
    client = goes || has_slot ? clients_.erase(client) : std::next(client);
  }
}

// False: it is none of ours, or not who was planned.
bool AgentLaunch::give_slot(Channel& client, const Words& greeting) {
  if (greeting.size() < 2 || greeting[1] != secret_) return false;
  if (greeting[0] == agent_verb::kUnable && greeting.size() == 3) return refuse(greeting[2]);
  if (greeting[0] != agent_verb::kHello) return false;
  AgentHello hello;
  try {
    hello = hello_from({greeting.begin() + 2, greeting.end()});
  } catch (const Error&) {
    return false;
  }
  if (const auto why = why_refused(hello); !why.empty()) return refuse(why);
  auto& slot = slots_.at(static_cast<std::size_t>(hello.rank));
  slot.agent.emplace(std::move(client));
  slot.agent->trust();
  if (!order_.hosts.empty()) slot.end.host = hello.host;
  slot.hello = std::move(hello);
  slot.note_word();
  if (is_ending()) slot.agent->send({agent_verb::kTerminate});
  return true;
}

// The first reason is the launch's.
bool AgentLaunch::refuse(const std::string& why) {
  if (!is_ending()) end_after_hang({-1, why});
  return false;
}

// Refuses ranks other than those planned.
std::string AgentLaunch::why_refused(const AgentHello& hello) const {
  const auto who = rank_on(static_cast<std::size_t>(hello.rank), hello.host);
  if (hello.rank < 0 || hello.rank >= hello.world_size) return who + " is none of " + counted(hello.world_size, "rank");
  if (hello.world_size != spec_.world_size()) {
    return order_.launcher + " started " + counted(hello.world_size, "rank") + ", but the launch is planned for " +
           counted(spec_.world_size(), "rank");
  }
  if (hello.local_rank != hello.rank % spec_.ranks_per_node) {
    return who + " is number " + std::to_string(hello.local_rank) + " of its node, but with " +
           counted(spec_.ranks_per_node, "rank") + " on each node it would be number " +
           std::to_string(hello.rank % spec_.ranks_per_node);
  }
  if (slots_.at(static_cast<std::size_t>(hello.rank)).agent) return who + " came twice";
  return "";
}

bool AgentLaunch::all_are_there() const {
  return !is_ending() && std::all_of(slots_.begin(), slots_.end(), [](const RankSlot& slot) { return slot.agent.has_value(); });
}

void AgentLaunch::start_ranks() {
  started_ = true;
  listener_.close();  // all who were to come are here
  clients_.clear();
  std::error_code absent;
  if (!order_.secret_file.empty()) std::filesystem::remove(order_.secret_file, absent);
  const auto& first = slots_.front().hello;
  const auto store = spec_.nodes > 1 ? StoreAddress{"", secret_, Endpoint{first.address, first.port}} : new_store_address();
  order_.ranks.environment[kStoreVariable] = to_text(store);
  order_.ranks.environment["MASTER_ADDR"] = first.address;
  order_.ranks.environment["MASTER_PORT"] = std::to_string(first.port);
  for (auto& slot : slots_) {
    slot.note_word();
    slot.agent->send(joined({agent_verb::kStart}, to_message(start_of(slot))));
  }
}

AgentStart AgentLaunch::start_of(const RankSlot& slot) const {
  AgentStart start{
      order_.ranks.tokens, order_.ranks.environment, cores_of(slot), std::filesystem::current_path(), spec_.part_dir, mark_};
  for (const auto& [name, value] : rank_variables(slot.hello.rank, spec_.world_size(), spec_.ranks_per_node))
    start.environment[name] = value;
  start.look_seconds = look_interval().count();
  start.patience_seconds = hang_timeout().count();
  return start;
}

// The same layout for every launch, whoever started it: each rank its share of what the ranks of its node may use together. Ranks that
// may use different cores were bound by the launcher: they stay so.
std::vector<int> AgentLaunch::cores_of(const RankSlot& slot) const {
  const auto node = slot.hello.rank / spec_.ranks_per_node;
  std::vector<int> wanted;
  for (const auto& other : slots_) {
    if (other.hello.rank / spec_.ranks_per_node != node) continue;
    if (other.hello.layout.cores != slot.hello.layout.cores) return {};
    wanted.push_back(gpu_memory_of(other.hello.layout, wanted.size()));
  }
  const auto shares = share_cores(slot.hello.layout.cores, wanted.size(), wanted);
  return shares.empty() ? std::vector<int>{} : numbers_of(shares.at(static_cast<std::size_t>(slot.hello.local_rank)));
}

void AgentLaunch::hear(std::size_t rank) {
  auto& slot = slots_[rank];
  if (!slot.agent || slot.has_ended) return;
  slot.agent->send_rest();
  for (int taken = 0; !slot.has_ended; ++taken) {
    if (taken == kMostMessagesAtOnce) {
      has_more_ = true;
      return;
    }
    const auto message = slot.agent->receive();
    if (!message) break;
    slot.note_word();
    try {
      take(rank, *message);
    } catch (const Error& error) {
      slot.end.lost = std::string("its agent said what cannot be understood: ") + error.what();
      note_end(rank);
    }
  }
  if (slot.has_ended || slot.agent->is_open()) return;
  slot.end.lost = "the connection to its node broke";
  note_end(rank);
}

void AgentLaunch::take(std::size_t rank, const Words& message) {
  if (message.empty()) throw Error("nothing");
  auto& slot = slots_[rank];
  const auto& verb = message.front();
  if (verb == agent_verb::kActivity) {
    slot.activity = activity_from({message.begin() + 1, message.end()});
  } else if (verb == agent_verb::kOut || verb == agent_verb::kErr) {
    take_line(rank, message, verb == agent_verb::kErr);
  } else if (verb == agent_verb::kPart) {
    keep_part(rank, {message.begin() + 1, message.end()});
  } else if (verb == agent_verb::kFailed && message.size() == 2) {
    not_started_ = slot.end.lost = message[1];
    note_end(rank);
  } else if (verb == agent_verb::kEnded && message.size() == 5) {
    slot.end.exit_code = parse_number<int>(message[1]).value_or(1);
    slot.end.signal = parse_number<int>(message[2]).value_or(0);
    slot.end.was_asked = message[3] == "1";
    if (!slot.end.was_asked) slot.end.why_killed = clean_line(message[4]);
    note_end(rank);
  } else {
    throw Error(verb);
  }
}

void AgentLaunch::keep_part(std::size_t rank, const Words& piece) {
  try {
    take_part(spec_.part_dir, static_cast<std::int64_t>(rank), piece);
  } catch (const Error& error) {
    slots_[rank].end.lost = std::string("what it wrote cannot be stored: ") + error.what();
    note_end(rank);
  }
}

// Whatever a node sends, no line steers this terminal.
void AgentLaunch::take_line(std::size_t rank, const Words& message, bool is_error) {
  const auto line = clean_line(message.size() == 2 ? message[1] : "");
  if (is_error) slots_[rank].end.last_lines.add(line);
  hand_on(rank, line, listener());
}

void AgentLaunch::note_end(std::size_t rank) {
  auto& slot = slots_[rank];
  slot.has_ended = true;
  slot.activity.runs = false;
  if (!slot.end.lost.empty()) slot.agent->close();
  if (slot.end.clean()) return;
  // A batch system that finds a node gone may end what has come from the others: they are not at fault.
  if (const auto missing = missing_ranks(); !started_ && !is_ending() && !missing.empty()) {
    const auto who = rank_on(rank, planned_host(order_, spec_, rank));
    return end_after_hang({missing_from_one_node(), missing + " did not come; meanwhile " + how_ended(who, slot.end)});
  }
  if (first_failed_ < 0 && !hang()) first_failed_ = static_cast<std::ptrdiff_t>(rank);
  end_after_failure(rank, slot.end.may_have_given_up());
}

// Agents leave together, when the last rank has ended: a launcher may end all others when the first one leaves. It goes when its last agent
// has; one that does not is ended.
bool AgentLaunch::is_over() {
  const bool all_have_ended = std::all_of(
      slots_.begin(), slots_.end(), [this](const RankSlot& slot) { return slot.has_ended || (!slot.agent && is_ending()); });
  if (!all_have_ended) return false;
  for (auto& slot : slots_) {
    if (slot.agent) slot.agent->close();
  }
  if (!launcher_.runs()) return true;
  if (!all_ended_) all_ended_ = Clock::now();
  const bool is_late = Clock::now() - *all_ended_ > (started_ ? kLauncherAfterRanks : 0s);
  if (is_late) launcher_.signal(SIGTERM);
  if (is_late && Clock::now() - *all_ended_ > 2 * kLauncherAfterRanks) launcher_.signal(SIGKILL);
  return false;
}

LaunchEnd AgentLaunch::end() const {
  LaunchEnd end;
  for (const auto& slot : slots_) end.ranks.push_back(slot.has_ended ? std::optional(slot.end) : std::nullopt);
  end.hang = hang();
  end.launcher_failure = not_started_;
  end.first_failed = first_failed_ < 0 && hang() ? std::max<std::ptrdiff_t>(hang()->rank, 0) : first_failed_;
  end.wall_seconds = wall_seconds();
  return end;
}

std::vector<ProcessActivity> AgentLaunch::activities() const {
  std::vector<ProcessActivity> all;
  for (const auto& slot : slots_) all.push_back(slot.activity);
  return all;
}

std::vector<bool> AgentLaunch::running() const {
  std::vector<bool> all;
  for (const auto& slot : slots_) all.push_back(started_ && !slot.has_ended);
  return all;
}

std::vector<int> AgentLaunch::output() const {
  auto fds = launcher_.fds();
  fds.push_back(listener_.number());
  for (const auto& client : clients_) fds.push_back(client.fd());
  for (const auto& slot : slots_) {
    if (slot.agent && !slot.has_ended) fds.push_back(slot.agent->fd());
  }
  return fds;
}

void AgentLaunch::ask_for_stacks() { send_all(agent_verb::kStack); }

void AgentLaunch::terminate_ranks() { send_all(agent_verb::kTerminate); }

void AgentLaunch::kill_all() {
  send_all(agent_verb::kKill);
  killed_ = Clock::now();
}

void AgentLaunch::send_all(const char* verb) {
  for (auto& slot : slots_) {
    if (slot.agent) slot.agent->send({verb});
  }
}

// Nobody waits for a node that is gone.
void AgentLaunch::give_up_what_is_left() {
  if (!killed_ || Clock::now() - *killed_ < kAgentsAfterKill) return;
  const auto is_heard = [](const RankSlot& slot) {
    return !slot.has_ended && slot.agent && Clock::now() - slot.heard < kAgentsAfterKill;
  };
  for (auto& slot : slots_) {
    if (slot.has_ended || !slot.agent || is_heard(slot)) continue;
    slot.has_ended = true;
    slot.end.lost = "its node did not answer when it was to end";
    slot.agent->close();
  }
  if (std::none_of(slots_.begin(), slots_.end(), is_heard)) launcher_.signal(SIGKILL);
}

}  // namespace ddpbench
