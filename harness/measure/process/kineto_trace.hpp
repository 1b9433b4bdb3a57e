#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/torch.hpp"
#include "harness/probe/range_sink.hpp"

namespace ddpbench {

// Says what a KinetoTrace records beside operations, collectives and ranges.
struct KinetoChoice {
  bool device = false;                                  // kernels, copies and runtime calls of the GPU
  bool shapes = false, memory = false, stacks = false;  // as torch.profiler's options of these names
};

// Records this process by Kineto, as torch.profiler does, and writes the trace as Chrome JSON. Is the sink of ranges meanwhile,
// as annotations of the thread that opens them: `block 1 raw`, `ProfilerStep#0` (timed steps, counted on through the trace),
// `ddpbench:forward`. An operation costs about a microsecond more while it is recorded. One at a time in a process.
class KinetoTrace final : public RangeSink {
 public:
  // `arms`: the launch's, by which ranges are named. `first_step`: the number of its first ProfilerStep.
  KinetoTrace(KinetoChoice choice, std::vector<std::string> arms, std::int64_t first_step)
      : choice_(choice), arms_(std::move(arms)), steps_(first_step) {}

  // Lets LibTorch count the host's tensors from here on, before the first one, so that a trace with `memory` knows all that live:
  // by itself LibTorch counts those that it allocates while it records, and misses that older ones are released.
  static void count_host_memory();

  void prepare();  // does what takes long where a device is recorded; before begin
  void begin();    // records from here on, behind a range `measure@ddpbench`

  // Adds a member of the trace's top level; `json`: its value. Called while it records.
  static void add_fact(const std::string& name, const std::string& json);

  // Ends the recording and writes the file. Throws Error with the path where it cannot be written.
  void end(const std::string& path);

  void push(PhaseRange range) override;
  void push_block(std::uint32_t arm, std::uint32_t block) override;
  void push_step(const StepPlace& place) override;
  void pop() override;

 private:
  void count_once() const;
  void open(const std::string& name);

  KinetoChoice choice_;
  std::vector<std::string> arms_;
  std::int64_t steps_;                                     // the number of the next timed one
  std::vector<std::unique_ptr<at::RecordFunction>> open_;  // ranges; nullptr: one that is not shown
};

}  // namespace ddpbench
