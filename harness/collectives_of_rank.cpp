#include "harness/collectives_of_rank.hpp"

#include "harness/collective_steps.hpp"
#include "harness/ranks/collective_runners.hpp"

namespace ddpbench {

void measure_collectives(const CollectivesOfRank& rank) {
  std::vector<std::unique_ptr<CollectiveRunner>> runners;
  for (const auto& arm : rank.spec.arms) runners.push_back(make_collective_runner(find_collective_arm(arm), rank.request));
  auto& group = rank.group;
  {
    CollectiveSteps steps(rank, runners);
    run_collectives({rank.spec, rank.request.info.rank, group.device(), group.accelerator(), group.control_channel(), rank.writer,
                     rank.progress, runners, steps});
  }
  for (const auto& runner : runners) runner->close();
}

}  // namespace ddpbench
