#include "suite/launch/local/local_launcher.hpp"

#include "suite/base/allowed_cores.hpp"
#include "suite/base/cpu_quota.hpp"
#include "suite/base/tcp.hpp"
#include "suite/launch/local/core_binding.hpp"
#include "suite/launch/local/local_launch.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {
namespace {

// torchrun's default, for who starts the command by hand: under LocalLaunch ranks meet at its store address instead. A rank
// that is alone needs no port that others know.
std::string port_by_hand(std::int64_t ranks) { return ranks == 1 ? "0" : "29500"; }

}  // namespace

std::string why_not_local(const Installation& /*installation*/, const Allocation& /*allocation*/) { return why_no_loopback(); }

LaunchCommand local_command(const LaunchSpec& spec, const Program& program) {
  auto command = rank_command(spec, program);
  const auto ranks = spec.ranks_per_node;
  command.environment.insert({
      {"WORLD_SIZE", std::to_string(spec.world_size())},
      {"LOCAL_WORLD_SIZE", std::to_string(ranks)},
      {"NODE_RANK", "0"},
      {"MASTER_ADDR", "127.0.0.1"},
      {"MASTER_PORT", port_by_hand(ranks)},
  });
  command.copies = ranks;
  command.numbered = {"RANK", "LOCAL_RANK"};
  return command;
}

Binding local_binding(std::int64_t ranks, const std::vector<std::string>& /*hosts*/) {
  const auto count = static_cast<std::size_t>(ranks);
  const auto layout = node_layout(allowed_cores());
  return {!share_layout(layout, count).empty(), describe_binding(layout, count), cpu_quota_warning(cpu_quota_cores(), ranks)};
}

std::unique_ptr<RunningLaunch> start_local(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  return std::make_unique<LocalLaunch>(spec, local_command(spec, program), std::move(supervision));
}

}  // namespace ddpbench
