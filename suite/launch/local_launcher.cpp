#include "suite/launch/local_launcher.hpp"

namespace ddpbench {

RankCommand local_command(const LaunchSpec& spec, const std::string& worker_path, std::int64_t rank) {
  RankCommand command{{worker_path}, {}};
  const auto tokens = to_tokens(spec);
  command.tokens.insert(command.tokens.end(), tokens.begin(), tokens.end());
  command.environment = {
      {"RANK", std::to_string(rank)},
      {"LOCAL_RANK", std::to_string(rank)},
      {"WORLD_SIZE", std::to_string(spec.world_size())},
      {"LOCAL_WORLD_SIZE", std::to_string(spec.ranks_per_node)},
      {"NODE_RANK", "0"},
      {"MASTER_ADDR", "127.0.0.1"},
      {"MASTER_PORT", "29500"},
      {"OMP_NUM_THREADS", std::to_string(spec.protocol.threads_per_rank)},
  };
  return command;
}

}  // namespace ddpbench
