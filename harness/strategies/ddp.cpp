#include "harness/strategies/reducer_strategy.hpp"
#include "harness/strategies/strategies.hpp"

namespace ddpbench {

// DistributedDataParallel without Python: Reducer with its own all-reduce.
std::unique_ptr<Strategy> make_ddp(const StrategyRequest& request) {
  return std::make_unique<ReducerStrategy>(request.process_group, reducer_options_from(request.options));
}

}  // namespace ddpbench
