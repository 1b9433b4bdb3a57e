#include "suite/contract/vocabulary/collectives.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

constexpr std::string_view kCapKey = "bucket_cap_mb=";

// The order is that of tables and plots: what training calls, then what stands behind it.
constexpr std::array kCollectiveArms{
    CollectiveArm{"gloo", "gloo", collective_role::kBackend, LibraryCall::kNone, "", "", "c10d's gloo, as training calls it"},
    CollectiveArm{"gloo_again", "gloo", collective_role::kAgain, LibraryCall::kNone, "", "",
                  "the same once more, in a group of its own"},
    CollectiveArm{"nccl", "nccl", collective_role::kBackend, LibraryCall::kNone, "", "", "c10d's NCCL, as training calls it"},
    CollectiveArm{"nccl_again", "nccl", collective_role::kAgain, LibraryCall::kNone, "", "",
                  "the same once more, in a group of its own"},
    CollectiveArm{"mpi", "mpi", collective_role::kBackend, LibraryCall::kNone, "mpi_progress", "thread",
                  "backend mpi, its thread looks after calls"},
    CollectiveArm{"mpi_poll", "mpi", collective_role::kBackend, LibraryCall::kNone, "mpi_progress", "poll",
                  "backend mpi, the rank itself waits"},
    CollectiveArm{"mpi_nonblocking", "mpi", collective_role::kBare, LibraryCall::kNonblocking, "", "",
                  "MPI's own non-blocking call and MPI_Wait"},
    CollectiveArm{"mpi_nonblocking_again", "mpi", collective_role::kAgain, LibraryCall::kNonblocking, "", "",
                  "the same once more"},
    CollectiveArm{"mpi_blocking", "mpi", collective_role::kBare, LibraryCall::kBlocking, "", "",
                  "MPI's own blocking call, such as MPI_Allreduce"},
    CollectiveArm{kCopyArm, "", collective_role::kLimit, LibraryCall::kNone, "", "",
                  "as many bytes copied in this rank's memory"},
    CollectiveArm{kComputeArm, "", collective_role::kReference, LibraryCall::kNone, "", "",
                  "of a step: the rank computes and sends nothing"},
    CollectiveArm{kComputeAgainArm, "", collective_role::kAgain, LibraryCall::kNone, "", "", "the same once more"},
    CollectiveArm{kIdealArm, "", collective_role::kLimit, LibraryCall::kNone, "", "",
                  "of a step: DDP on a network that takes no time"},
};

bool is_bucket_cap(const std::string& text) {
  if (text == "default") return true;
  const auto cap = parse_finite<double>(text);
  return cap && *cap > 0;
}

UsageError bad_case(const std::string& text) {
  return UsageError("case '" + text + "': must be COLLECTIVE:BYTES (BYTES a multiple of " +
                    std::to_string(kCollectiveElementBytes) + "), barrier, or all_reduce:" + std::string(kCapKey) +
                    "MIB or step:" + std::string(kCapKey) + "MIB; collectives: " + known_names(kCollectives));
}

const CollectiveArm* first_of(std::string_view backend, const char* role) {
  const auto found = std::find_if(kCollectiveArms.begin(), kCollectiveArms.end(),
                                  [&](const auto& arm) { return arm.backend == backend && arm.role == role; });
  return found == kCollectiveArms.end() ? nullptr : &*found;
}

}  // namespace

const CollectiveEntry& find_collective(const std::string& name) { return find_entry(kCollectives, "collective", name); }

const CollectiveEntry& entry_of(Collective kind) {
  return *std::find_if(kCollectives.begin(), kCollectives.end(), [&](const auto& entry) { return entry.kind == kind; });
}

std::string text_of(const CollectiveCase& one) {
  std::string text(one.is_step ? kStepCase : entry_of(one.kind).name);
  if (!one.bucket_cap.empty()) return text + ":" + std::string(kCapKey) + one.bucket_cap;
  return one.kind == Collective::kBarrier ? text : text + ":" + std::to_string(one.bytes);
}

CollectiveCase parse_collective_case(const std::string& text) {
  const auto colon = text.find(':');
  CollectiveCase one;
  one.is_step = text.substr(0, colon) == kStepCase;
  if (!one.is_step) one.kind = find_collective(text.substr(0, colon)).kind;
  if ((one.kind == Collective::kBarrier) != (colon == std::string::npos)) throw bad_case(text);
  if (colon == std::string::npos) return one;
  const auto size = text.substr(colon + 1);
  if (size.starts_with(kCapKey)) {
    one.bucket_cap = size.substr(kCapKey.size());
    if (one.kind != Collective::kAllReduce || !is_bucket_cap(one.bucket_cap)) throw bad_case(text);
    return one;
  }
  if (one.is_step) throw bad_case(text);
  one.bytes = parse_number<std::int64_t>(size).value_or(0);
  if (one.bytes <= 0 || one.bytes > kMostCollectiveBytes || one.bytes % kCollectiveElementBytes != 0) throw bad_case(text);
  return one;
}

std::string text_of(std::span<const FilledBucket> buckets) {
  std::vector<std::string> words;
  for (const auto& bucket : buckets) words.push_back(shortest_text(bucket.filled_s) + ":" + std::to_string(bucket.bytes));
  return join(words, " ");
}

std::vector<FilledBucket> parse_filled_buckets(const std::string& text) {
  std::vector<FilledBucket> buckets;
  for (const auto& word : split(text, ' ')) {
    const auto colon = word.find(':');
    const auto filled_s = parse_finite<double>(word.substr(0, colon));
    const auto bytes = colon == std::string::npos ? std::nullopt : parse_number<std::int64_t>(word.substr(colon + 1));
    if (!filled_s || !bytes || *filled_s < 0 || *bytes < 0)
      throw UsageError("buckets '" + text + "': must be SECONDS:BYTES with blanks between");
    buckets.push_back({*filled_s, *bytes});
  }
  return buckets;
}

const CollectiveArm& find_collective_arm(const std::string& name) { return find_entry(kCollectiveArms, "arm", name); }

bool is_backend_arm(std::string_view name) {
  return std::any_of(kCollectiveArms.begin(), kCollectiveArms.end(), [&](const auto& arm) {
    return arm.name == name && arm.role == std::string_view(collective_role::kBackend);
  });
}

bool is_step_arm(std::string_view name) { return name == kComputeArm || name == kComputeAgainArm || name == kIdealArm; }

std::vector<CollectiveArm> collective_arms(std::span<const std::string> backends, bool with_steps) {
  if (backends.empty()) throw UsageError("no backend is named");
  const CollectiveArm* reference = nullptr;
  for (const auto& backend : backends) {
    if (first_of(backend, collective_role::kBackend) == nullptr)
      throw UsageError("the collectives of backend '" + backend + "' cannot be measured");
    if (const auto* bare = first_of(backend, collective_role::kBare); bare != nullptr) reference = bare;
  }
  if (reference == nullptr) reference = first_of(backends.front(), collective_role::kBackend);
  std::vector<CollectiveArm> arms{*reference};
  arms.front().role = collective_role::kReference;
  for (const auto& arm : kCollectiveArms) {
    const bool is_of_steps = is_step_arm(arm.name);
    const bool is_of_launch = is_of_steps ? with_steps : arm.backend.empty() || holds(backends, arm.backend);
    const bool is_of_another = !is_of_steps && arm.role == collective_role::kAgain && arm.backend != reference->backend;
    if (is_of_launch && !is_of_another && arm.name != reference->name) arms.push_back(arm);
  }
  return arms;
}

}  // namespace ddpbench
