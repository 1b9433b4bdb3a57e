#include "suite/launch/rank_command.hpp"

namespace ddpbench {

LaunchCommand rank_command(const LaunchSpec& spec, const Program& program) {
  LaunchCommand rank{program.tokens};
  if (program.takes_spec) {
    const auto tokens = to_tokens(spec);
    rank.tokens.insert(rank.tokens.end(), tokens.begin(), tokens.end());
  }
  rank.environment = {{"OMP_NUM_THREADS", std::to_string(spec.protocol.threads_per_rank)}};
  for (const auto& [name, value] : program.environment) rank.environment[name] = value;
  return rank;
}

}  // namespace ddpbench
