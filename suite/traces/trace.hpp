#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ddpbench {

// Says what an interval of a trace is. The readers translate their format's own words into these.
enum class EventKind : std::uint8_t {
  kOperation,         // of PyTorch on a host thread: aten::mm
  kCollective,        // on a host thread: gloo:all_reduce
  kKernel,            // on the device, no communication
  kCollectiveKernel,  // on the device: ncclDevKernel_AllReduce…
  kCopy,              // memory copied or set on the device
  kCall,              // of the host into CUDA; `correlation` is that of what it launched
  kBlock,             // a block of ddpbench; its name is the arm, `value` the block's number
  kStep,              // a step; `value` below 0: a discarded one
  kPhase,             // of a step of ddpbench; `value` is its place in kPhaseNames
  kLoading,           // a DataLoader's __next__
  kRange,             // any other range of the user
};

// Holds one interval in nanoseconds of the trace's own clock. `name` and `thread` are places in the trace's lists.
struct Event {
  std::int64_t begin = 0, end = 0;
  std::int64_t value = 0;  // as its kind says; of collectives the bytes, 0: not in the trace
  std::uint32_t name = 0, thread = 0;
  std::uint32_t correlation = 0;  // joins a kernel or copy and its call; 0: none
  EventKind kind = EventKind::kRange;
};

// Counts a device's memory behind one allocation or release; bytes. `reserved`: what the caching allocator holds; 0: of the CPU.
struct MemoryCount {
  std::int64_t time = 0;  // nanoseconds of the trace's own clock
  std::int64_t allocated = 0, reserved = 0;
  std::uint32_t device = 0;  // its place in the trace's list
};

// Keeps each text once and gives it a number, from 0 in order of their arrival.
class Names {
 public:
  std::uint32_t id(std::string_view text) {
    key_.assign(text);
    const auto [entry, is_new] = ids_.try_emplace(key_, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(key_);
    return entry->second;
  }
  const std::string& text(std::uint32_t id) const { return texts_.at(id); }
  std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<std::string> texts_;
  std::string key_;
};

// Holds what one process (rank) did. Events are in order of their begin; of two that begin together the longer one is first.
struct Trace {
  std::string file;         // for messages
  std::string launch;       // of ddpbench; "": a stranger's
  std::optional<int> rank;  // where the trace or the file's name tells it
  std::vector<Event> events;
  std::vector<MemoryCount> memory;     // in order of time; empty: it was not recorded
  Names names, threads, devices;       // devices: "cpu", "cuda:0"
  bool knows_all_host_memory = false;  // else what is counted of the CPU was allocated since the recording began

  const std::string& name_of(const Event& event) const { return names.text(event.name); }
};

// Brings events and memory into that order; a reader's last act.
void sort_events(Trace& trace);

// Returns the kind of a host's range by its name alone: "gloo:all_reduce" is a collective, a DataLoader's __next__ loads.
// "c10d::allreduce_" is none: it hands one to a thread or a stream, and returns.
EventKind kind_of_range(std::string_view name);

// Returns whether a kernel of that name communicates.
bool is_collective_kernel(std::string_view name);

// Returns the place in kPhaseNames of the phase that a range of that name shows; nothing where it shows none.
std::optional<std::int64_t> phase_place(std::string_view name);

// Returns what a file's name says: "a/L3/rank12.nsys-rep" and "a/L3.rank12.json.gz" are of launch "L3" on rank 12.
struct FileFacts {
  std::string launch;
  std::optional<int> rank;
};
FileFacts file_facts(const std::string& path);

// Returns whose span a file is, as torch.profiler and TensorBoard's plugin name spans: "a/rank0.2.pt.trace.json.gz" is one of
// "a/rank0". "": its name has no span.
std::string span_owner(const std::string& path);

}  // namespace ddpbench
