#include "harness/collectives_of_rank.hpp"

#include "harness/api/workload.hpp"
#include "harness/measure/collective_run.hpp"
#include "harness/ranks/collective_ways.hpp"
#include "harness/strategies/reducer_strategy.hpp"
#include "suite/contract/registry.hpp"

namespace ddpbench {
namespace {

BackendRequest request_of(const LaunchSpec& spec, const RankInfo& info, const RankGroup& group) {
  const auto timeout = std::chrono::milliseconds(static_cast<std::int64_t>(spec.protocol.hang_timeout_seconds * 1e3));
  return {group.store(), info, timeout, group.device(), {}};
}

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

void measure_collectives(const LaunchSpec& spec, const RankInfo& info, RankGroup& group, PartWriter& writer,
                         ProgressLine& progress) {
  std::vector<std::unique_ptr<CollectiveWay>> ways;
  const auto request = request_of(spec, info, group);
  for (const auto& arm : spec.arms) ways.push_back(make_collective_way(find_collective_arm(arm), request));
  run_collectives({spec, info.rank, group.device(), group.accelerator(), group.agreement(), writer, progress, ways,
                   [&](const std::string& bucket_cap) { return bucket_bytes_of(spec, bucket_cap); }});
  for (const auto& way : ways) way->close();
}

}  // namespace ddpbench
