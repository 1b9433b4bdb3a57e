#include "suite/commands/run/collective_arguments.hpp"

namespace ddpbench {

void add_collective_arguments(CLI::App& app, CollectivesRequest& request) {
  const CLI::AsSizeValue size(false);
  app.add_option("--backends", request.backends, "NAME,NAME to compare (default: nccl where there are GPUs, else gloo,mpi)");
  app.add_option("--nodes", request.nodes, "N,M: a launch on each number of nodes (default: all of the job; behind `submit` 2)");
  app.add_option("--ranks-per-node", request.ranks_per_node,
                 "N,M: and with each number of ranks (default: one for each GPU, else 2)");
  app.add_option(
      "--collectives", request.collectives,
      "NAME,NAME of all_reduce, broadcast, all_gather, reduce_scatter, all_to_all, barrier (default: all); none: only buckets");
  app.add_option("--min-bytes", request.least_bytes, "smallest size; K, M and G may follow a number (default: 4)")
      ->transform(size);
  app.add_option("--max-bytes", request.most_bytes, "largest size (default: 256M)")->transform(size);
  app.add_option("--factor", request.factor, "from one size to the next (default: 4)")->check(CLI::Range(2, 1024));
  auto* workload =
      app.add_option("--workload", request.workload, "a model, whose gradients are all-reduced bucket by bucket, as in a step");
  app.add_option("--bucket-cap-mb", request.bucket_caps, "MIB,MIB: sizes of its buckets to compare, for example 1,4,25")
      ->needs(workload);
  app.add_option("--batch-size", request.batch_size,
                 "of a rank: the workload's forward and backward are measured too, with each bucket size, and alone")
      ->needs(workload)
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--launches", request.launches, "fresh starts of all ranks (default: 1)")->check(CLI::Range(1, 1000));
  app.add_option("--seconds", request.seconds, "of measuring in a launch, about (default: 2 for each size of each collective)")
      ->check(CLI::Range(kFewestCollectiveSeconds, kMostCollectiveSeconds));
  app.add_flag("--check", request.only_checks, "check results and measure no longer than that takes");
}

std::vector<std::string> given_tokens(const CLI::App& app) {
  std::vector<std::string> words;
  for (const auto* option : app.get_options()) {
    if (option->count() == 0) continue;
    words.push_back(option->get_name());
    const bool is_flag = option->get_expected_max() == 0;
    if (!is_flag) words.insert(words.end(), option->results().begin(), option->results().end());
  }
  return words;
}

}  // namespace ddpbench
