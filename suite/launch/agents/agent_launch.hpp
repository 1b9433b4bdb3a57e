#pragma once
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/launch/agents/agent_messages.hpp"
#include "suite/launch/agents/agent_order.hpp"
#include "suite/launch/agents/channel.hpp"
#include "suite/launch/agents/launcher_process.hpp"
#include "suite/launch/supervision/supervised_launch.hpp"

namespace ddpbench {

// Runs a launch whose ranks are on any nodes: a launcher that is a child of this process starts an agent beside each, and the
// agents come to this process. While a launch lives, nobody who does not know its secret is heard.
class AgentLaunch : public SupervisedLaunch {
 public:
  // Throws CannotRun where the launcher cannot be started.
  AgentLaunch(const LaunchSpec& spec, AgentOrder order, Supervision supervision);

  std::optional<LaunchEnd> poll() override;

 private:
  using Clock = Termination::Clock;

  // A rank, and the agent beside it.
  struct RankSlot {
    std::optional<Channel> agent{};  // nothing: has not come
    AgentHello hello{};
    ProcessActivity activity{};
    Clock::time_point heard{};
    std::chrono::duration<double> silence{0};  // since then, without what nobody had: HangDetector::look
    void note_word() {
      heard = Clock::now();
      silence = {};
    }
    ProcessEnd end{};
    bool has_ended = false;
  };

  std::vector<ProcessActivity> activities() const override;
  std::optional<Hang> out_of_sight() const override;
  std::vector<bool> running() const override;
  std::vector<int> output() const override;
  bool has_more() const override { return has_more_; }
  void ask_for_stacks() override;
  void terminate_ranks() override;
  void kill_all() override;

  void accept_connections();
  bool give_slot(Channel& client, const Words& greeting);
  bool refuse(const std::string& why);
  std::string why_refused(const AgentHello& hello) const;
  bool all_are_there() const;
  void start_ranks();
  AgentStart start_of(const RankSlot& slot) const;
  std::vector<int> cores_of(const RankSlot& slot) const;
  void hear(std::size_t rank);
  void take(std::size_t rank, const Words& message);
  void keep_part(std::size_t rank, const Words& piece);
  void take_line(std::size_t rank, const Words& message, bool is_error);
  void note_end(std::size_t rank);
  std::string missing_ranks() const;
  std::ptrdiff_t missing_from_one_node() const;
  void look_for_missing();
  void lengthen_silence();
  void look_for_silence();
  bool is_over();
  LaunchEnd end() const;
  void send_all(const char* verb);
  void give_up_what_is_left();

  LaunchSpec spec_;
  AgentOrder order_;
  std::string secret_;
  FileDescriptor listener_;
  std::string mark_;          // local_parts.hpp
  LauncherProcess launcher_;  // after its agents, whose ranks end with their connections
  Clock::time_point polled_ = Clock::now();
  std::vector<RankSlot> slots_;
  std::list<Channel> clients_;  // who has come and not said who it is
  bool started_ = false;
  bool has_more_ = false;    // an agent has said more than was taken at once
  std::string not_started_;  // why a rank could not be started
  std::ptrdiff_t first_failed_ = -1;
  std::optional<Clock::time_point> all_ended_, killed_;
};

}  // namespace ddpbench
