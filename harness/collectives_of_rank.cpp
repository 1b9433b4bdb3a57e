#include "harness/collectives_of_rank.hpp"

#include "harness/collective_steps.hpp"
#include "harness/ranks/collective_runners.hpp"

namespace ddpbench {

void measure_collectives(const CollectivesOfRank& rank) {
  std::vector<std::unique_ptr<CollectiveRunner>> ways;
  for (const auto& arm : rank.spec.arms) ways.push_back(make_collective_way(find_collective_arm(arm), rank.request));
  auto& group = rank.group;
  {
    CollectiveSteps steps(rank, ways);
    run_collectives({rank.spec, rank.request.info.rank, group.device(), group.accelerator(), group.control_channel(), rank.writer,
                     rank.progress, ways, steps});
  }
  for (const auto& way : ways) way->close();
}

}  // namespace ddpbench
