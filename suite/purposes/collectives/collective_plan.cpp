#include "suite/purposes/collectives/collective_plan.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/collectives.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/plan/feasibility.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

constexpr const char* kCollectivesName = "collectives";
constexpr const char* kNoCollective = "none";
constexpr const char* kUsualBucketCaps = "1,4,25,default";
constexpr double kSecondsPerCase = 2;

std::vector<std::int64_t> counts_of(const std::string& list, const std::string& option) {
  constexpr std::int64_t kMost = 100'000;
  std::vector<std::int64_t> counts;
  for (const auto& word : parse_list(list)) {
    const auto count = parse_number<std::int64_t>(word).value_or(0);
    if (count < 1 || count > kMost) throw UsageError(option + " '" + list + "': must be whole numbers above 0, for example 1,2");
    counts.push_back(count);
  }
  if (counts.empty()) throw UsageError(option + " is empty: must be whole numbers above 0, for example 1,2");
  return counts;
}

void check_sizes(const CollectivesRequest& request) {
  if (request.least_bytes > request.most_bytes) throw UsageError("--min-bytes must not be more than --max-bytes");
  if (request.least_bytes % kCollectiveElementBytes != 0 || request.most_bytes % kCollectiveElementBytes != 0)
    throw UsageError("--min-bytes and --max-bytes must be multiples of 4: elements are float32");
  if (request.most_bytes > kMostCollectiveBytes)
    throw UsageError("--max-bytes must be at most " + std::to_string(kMostCollectiveBytes) + " (8G)");
}

// From the least to the most bytes by powers of the factor (nccl-tests' -b, -e and -f), the most among them.
std::vector<std::int64_t> sizes_of(const CollectivesRequest& request) {
  std::vector<std::int64_t> sizes;
  for (auto size = request.least_bytes; size < request.most_bytes; size *= request.factor) sizes.push_back(size);
  sizes.push_back(request.most_bytes);
  return sizes;
}

std::vector<std::string> bucket_caps_of(const CollectivesRequest& request) {
  if (request.workload.empty()) return {};
  return parse_list(request.bucket_caps.empty() ? kUsualBucketCaps : request.bucket_caps);
}

std::vector<std::string> cases_of(const CollectivesRequest& request) {
  check_sizes(request);
  auto names = parse_list(request.collectives);
  if (names.empty()) {
    for (const auto& entry : kCollectives) names.emplace_back(entry.name);
  }
  std::erase(names, kNoCollective);
  std::vector<std::string> cases;
  for (const auto& cap : bucket_caps_of(request))
    cases.push_back(text_of(parse_collective_case("all_reduce:bucket_cap_mb=" + cap)));
  if (request.batch_size > 0) {
    for (const auto& cap : bucket_caps_of(request)) cases.push_back(std::string(kStepCase) + ":bucket_cap_mb=" + cap);
  }
  for (const auto& name : names) {
    const auto kind = find_collective(name).kind;
    if (kind == Collective::kBarrier) {
      cases.push_back(name);
      continue;
    }
    for (const auto size : sizes_of(request)) cases.push_back(text_of({kind, size}));
  }
  if (cases.empty()) throw UsageError("nothing to measure: --collectives none needs --workload and --bucket-cap-mb");
  return cases;
}

std::vector<std::string> wanted_backends(const CollectivesRequest& request, const Availability& availability) {
  auto named = parse_list(request.backends);
  if (!named.empty()) return named;
  return availability.gpus > 0 ? std::vector<std::string>{"nccl"} : std::vector<std::string>{"gloo", kMpiBackend};
}

class CollectivePlanner {
 public:
  CollectivePlanner(const CollectivesRequest& request, const Vocabulary& vocabulary, const Availability& availability)
      : request_(request), vocabulary_(vocabulary), availability_(availability) {
    if (!request.workload.empty()) find_entry(vocabulary.workloads, "workload", request.workload);
    choose_backends();
  }

  CollectivePlan plan(std::int64_t nodes_of_job) {
    const auto cases = cases_of(request_);
    const auto nodes = counts_of(request_.nodes.empty() ? std::to_string(nodes_of_job) : request_.nodes, "--nodes");
    const auto ranks =
        counts_of(request_.ranks_per_node.empty() ? std::to_string(usual_ranks()) : request_.ranks_per_node, "--ranks-per-node");
    for (std::int64_t repetition = 0; repetition < request_.launches && !backends_.empty(); ++repetition) {
      for (const auto node_count : nodes) {
        for (const auto rank_count : ranks) add(launch_of(cases, node_count, rank_count, repetition));
      }
    }
    return std::move(plan_);
  }

 private:
  // Those of which the nodes have what they need.
  void choose_backends() {
    for (const auto& backend : wanted_backends(request_, availability_)) {
      find_entry(vocabulary_.backends, "backend", backend);
      LaunchSpec spec;
      spec.workload = "null";
      spec.backend = backend;
      const auto why_not = why_names_not_possible(spec, vocabulary_, availability_);
      if (why_not.empty()) {
        backends_.push_back(backend);
      } else {
        plan_.skips.push_back("backend " + backend + ": " + why_not);
      }
    }
  }

  std::int64_t usual_ranks() const {
    const bool on_gpus =
        std::any_of(backends_.begin(), backends_.end(), [&](const auto& name) { return occupies_gpus(vocabulary_, name); });
    return on_gpus ? availability_.gpus : 2;
  }

  LaunchSpec launch_of(const std::vector<std::string>& cases, std::int64_t nodes, std::int64_t ranks,
                       std::int64_t repetition) const {
    LaunchSpec spec;
    spec.purpose = purpose::kCollectives;
    spec.workload = request_.workload.empty() ? "null" : request_.workload;
    spec.backend = holds(backends_, kMpiBackend) ? kMpiBackend : backends_.front();
    if (request_.batch_size > 0) spec.batch_size_per_rank = request_.batch_size;
    for (const auto& arm : collective_arms(backends_, request_.batch_size > 0)) spec.arms.emplace_back(arm.name);
    spec.cases = cases;
    const double seconds = request_.seconds > 0 ? request_.seconds : kSecondsPerCase * static_cast<double>(cases.size());
    spec.protocol.max_seconds_per_launch = request_.only_checks ? kFewestCollectiveSeconds : seconds;
    spec.nodes = nodes;
    spec.ranks_per_node = ranks;
    spec.repetition = repetition;
    spec.seed = repetition + 1;
    spec.cell_id = std::string(kCollectivesName) + "-n" + std::to_string(nodes) + "-r" + std::to_string(ranks);
    spec.launch_id = spec.cell_id + "-" + std::to_string(repetition);
    return spec;
  }

  void add(LaunchSpec spec) {
    const auto why_not = why_sizes_not_possible(spec, vocabulary_, availability_);
    if (why_not.empty()) {
      plan_.launches.push_back(std::move(spec));
    } else {
      plan_.skips.push_back(spec.launch_id + ": " + why_not);
    }
  }

  const CollectivesRequest& request_;
  const Vocabulary& vocabulary_;
  const Availability& availability_;
  std::vector<std::string> backends_;
  CollectivePlan plan_;
};

std::string quoted_list(const std::vector<std::string>& words) { return "[\"" + join(words, "\", \"") + "\"]"; }

}  // namespace

std::vector<std::string> parse_list(const std::string& list) {
  std::vector<std::string> words;
  for (const auto& word : split(list, ',')) {
    if (holds(words, word)) throw UsageError("'" + shown(list) + "' names '" + shown(word) + "' twice");
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

CollectivePlan plan_collectives(const CollectivesRequest& request, const Vocabulary& vocabulary, const Availability& availability,
                                std::int64_t nodes) {
  return CollectivePlanner(request, vocabulary, availability).plan(nodes);
}

std::string experiment_text(const CollectivePlan& plan) {
  const auto& first = plan.launches.front();
  return "# ddpbench collectives\nname = \"" + std::string(kCollectivesName) + "\"\narms = " + quoted_list(first.arms) +
         "\ncases = " + quoted_list(first.cases) + "\n\n[axes]\nworkload = [\"" + first.workload +
         "\"]\nbatch_size_per_rank = [" + std::to_string(first.batch_size_per_rank) + "]\n\n[protocol]\n" +
         "max_seconds_per_launch = " + shortest_text(first.protocol.max_seconds_per_launch) + "\n";
}

}  // namespace ddpbench
