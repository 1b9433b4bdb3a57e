#include "harness/collectives_of_rank.hpp"

#include "harness/api/workload.hpp"
#include "harness/measure/collective_run.hpp"
#include "harness/ranks/collective_ways.hpp"
#include "harness/strategies/reducer_strategy.hpp"
#include "suite/contract/registry.hpp"

namespace ddpbench {
namespace {

// Of the launch's workload and strategy. The model's values play no part: it is made and forgotten.
std::vector<std::int64_t> bucket_bytes_of(const LaunchSpec& spec, const std::string& bucket_cap) {
  auto options = spec.options[Holder::kWorkload];
  options["data"] = "constant";
  const auto recipe =
      find_entry(workloads(), "workload", spec.workload)
          .recipe({options, /*batch_size_per_rank=*/1, /*rank=*/0, spec.world_size(), spec.seed, spec.data, at::kCPU});
  auto of_strategy = spec.options[Holder::kStrategy];
  of_strategy["bucket_cap_mb"] = bucket_cap;
  return bucket_bytes(recipe.model->parameters(), reducer_options_from(of_strategy));
}

}  // namespace

void measure_collectives(const CollectivesOfRank& rank) {
  std::vector<std::unique_ptr<CollectiveWay>> ways;
  for (const auto& arm : rank.spec.arms) ways.push_back(make_collective_way(find_collective_arm(arm), rank.request));
  auto& group = rank.group;
  run_collectives({rank.spec, rank.request.info.rank, group.device(), group.accelerator(), group.agreement(), rank.writer,
                   rank.progress, ways, [&](const std::string& bucket_cap) { return bucket_bytes_of(rank.spec, bucket_cap); }});
  for (const auto& way : ways) way->close();
}

}  // namespace ddpbench
