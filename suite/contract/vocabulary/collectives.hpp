#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Describes what a launch of purpose `collectives` measures: each of its cases (LaunchSpec::cases) by each of its arms.
namespace ddpbench {

// Names a collective; kCollectives has a line for each.
enum class Collective { kAllReduce, kBroadcast, kAllGather, kReduceScatter, kAllToAll, kBarrier };

// Holds one line of the table of collectives. `bytes` of a case is what nccl-tests calls its size: of the whole buffer, the
// larger one where input and output differ (all_gather's output, reduce_scatter's input).
struct CollectiveEntry {
  Collective kind;
  std::string_view name;
  bool splits;  // one of its buffers is a rank's part of the other: a size has an element for each rank at least
  double (*bus_factor)(
      double ranks);  // bytes that cross the slowest link over `bytes`: nccl-tests, "Performance reported by NCCL tests"
};

// Lists every collective that can be measured.
inline constexpr std::array<CollectiveEntry, 6> kCollectives{{
    {Collective::kAllReduce, "all_reduce", false, [](double n) { return 2 * (n - 1) / n; }},
    {Collective::kBroadcast, "broadcast", false, [](double) { return 1.0; }},
    {Collective::kAllGather, "all_gather", true, [](double n) { return (n - 1) / n; }},
    {Collective::kReduceScatter, "reduce_scatter", true, [](double n) { return (n - 1) / n; }},
    {Collective::kAllToAll, "all_to_all", true, [](double n) { return (n - 1) / n; }},
    {Collective::kBarrier, "barrier", false, [](double) { return 1.0; }},
}};

// Returns the line of that name. Throws UsageError that lists all.
const CollectiveEntry& find_collective(const std::string& name);

// Returns the line of that collective.
const CollectiveEntry& entry_of(Collective kind);

// Says what is measured at once: one collective; the all-reduces of a model's buckets, all begun and then waited for, as in a
// step; or a forward and a backward of that model, in which DDP sends those buckets while it computes.
struct CollectiveCase {
  Collective kind = Collective::kAllReduce;
  std::int64_t bytes = 0;    // of float32; 0: a barrier, or buckets
  std::string bucket_cap{};  // "25", "default": as the option bucket_cap_mb; "": no buckets
  bool is_step = false;
};
inline constexpr const char* kStepCase = "step";  // in the place of a collective's name

// Writes "all_reduce:4096", "barrier", "all_reduce:bucket_cap_mb=25", "step:bucket_cap_mb=25".
std::string text_of(const CollectiveCase& one);
// Parses such a text. Throws UsageError naming what is legal.
CollectiveCase parse_collective_case(const std::string& text);

inline constexpr std::int64_t kCollectiveElementBytes = 4;                   // float32
inline constexpr std::int64_t kMostCollectiveBytes = std::int64_t{8} << 30;  // of a case

// Holds a bucket of a model's gradients, and when a step of arm `ideal` hands it over: seconds from the step's begin, slowest
// rank. The last of a list has 0 bytes: the step's end.
struct FilledBucket {
  double filled_s = 0;
  std::int64_t bytes = 0;
};

// Writes "0.0123:1048576 0.0456:0".
std::string text_of(std::span<const FilledBucket> buckets);
// Parses such a text. Throws UsageError.
std::vector<FilledBucket> parse_filled_buckets(const std::string& text);

namespace collective_role {
inline constexpr const char* kReference = "reference";  // what the others of its launch are compared with
inline constexpr const char* kAgain = "A/A";            // the reference once more
inline constexpr const char* kBackend = "backend";      // as training calls it: c10d's
inline constexpr const char* kBare = "library";         // the library's own call, without c10d
inline constexpr const char* kLimit = "limit";          // a copy in memory: no collective
}  // namespace collective_role

// Says which calls of the library's an arm makes itself, without c10d.
enum class LibraryCall { kNone, kNonblocking, kBlocking };

// Describes one way to run a collective.
struct CollectiveArm {
  std::string_view name, backend;  // backend "": none
  const char* role;                // in a launch
  LibraryCall call;
  std::string_view option, value;  // of the backend, where not its default
  std::string_view help;
};

inline constexpr const char* kCopyArm = "copy";  // copies in memory, the limit of all
// Names the reference of a step, and the same again: the rank computes and sends nothing. kIdealArm: DDP on a network that takes
// no time.
inline constexpr const char* kComputeArm = "compute";
inline constexpr const char* kComputeAgainArm = "compute_again";
inline constexpr const char* kIdealArm = "ideal";

// Returns the arms that a launch of these backends measures, the reference of its collectives first. It is the bare library of
// the last backend that has one, else the first backend itself. Throws UsageError for none, and for a backend of which no arm is
// known.
std::vector<CollectiveArm> collective_arms(std::span<const std::string> backends, bool with_steps = false);

// Returns whether the arm is a backend as training calls it, whatever its role in a launch.
bool is_backend_arm(std::string_view name);
// Returns whether the arm takes part in steps alone: it is no way to run a collective.
bool is_step_arm(std::string_view name);

// Finds any arm that a launch may have. Throws UsageError that lists all.
const CollectiveArm& find_collective_arm(const std::string& name);

}  // namespace ddpbench
