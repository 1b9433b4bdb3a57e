#include "harness/measure/blocks/step_counts.hpp"

#include <ATen/record_function.h>

#include <array>
#include <atomic>
#include <cstring>

#include "harness/measure/blocks/timed_block.hpp"
#include "harness/probe/heap_count.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

// Every step does the same work (periodic work is timed as events). With two steps, a varying count shows as a fraction.
constexpr std::int64_t kCountedSteps = 2;

// Tensor operations of the process while this stands, on all threads. One at a time: LibTorch's callbacks are functions, which bear no state.
class TensorOperations {
 public:
  TensorOperations() {
    operations_ = host_reads_ = 0;
    handle_ = at::addGlobalCallback(at::RecordFunctionCallback(&begin, &end).scopes({at::RecordScope::FUNCTION}));
  }
  ~TensorOperations() { at::removeCallback(handle_); }
  TensorOperations(const TensorOperations&) = delete;
  TensorOperations& operator=(const TensorOperations&) = delete;

  static double operations() { return static_cast<double>(operations_.load()); }
  static double host_reads() { return static_cast<double>(host_reads_.load()); }

 private:
  static bool is_tensor_operation(const at::RecordFunction& called) { return std::strncmp(called.name(), "aten::", 6) == 0; }

  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& called) {
    if (std::strcmp(called.name(), "aten::_local_scalar_dense") == 0) ++host_reads_;
    if (is_tensor_operation(called) && depth_++ == 0) ++operations_;
    return nullptr;
  }
  static void end(const at::RecordFunction& called, at::ObserverContext* /*context*/) {
    if (is_tensor_operation(called)) --depth_;
  }

  static inline thread_local int depth_ = 0;  // operations that call each other
  static inline std::atomic<std::int64_t> operations_ = 0, host_reads_ = 0;
  at::CallbackHandle handle_;
};

// The log holds the counted steps and nothing else.
void add_collectives(CollectiveLog& log, const NamedArm& arm, LaunchRecorder& recorder) {
  std::array<double, kCollectiveKinds> counts{}, bytes{};
  for (const auto& record : log.records(0, log.size())) {
    counts.at(static_cast<std::size_t>(record.kind)) += 1;
    bytes.at(static_cast<std::size_t>(record.kind)) += static_cast<double>(record.bytes);
  }
  for (std::size_t kind = 0; kind < kCollectiveKinds; ++kind) {
    if (counts[kind] == 0) continue;
    const auto name = std::string(name_of(static_cast<CollectiveKind>(kind)));
    recorder.add_named_metric(arm.name, kMetrics.collectives_of_kind, name, counts[kind] / kCountedSteps);
    recorder.add_named_metric(arm.name, kMetrics.collective_bytes_of_kind, name, bytes[kind] / kCountedSteps);
  }
}

}  // namespace

void count_steps(Measurement& measurement, const NamedArm& arm, LaunchRecorder& recorder) {
  tell_arm(arm.name);
  arm.arm->step();  // a switch of arms ends in it
  quiesce_arm(measurement.session, *arm.arm);
  arm.arm->step();  // what rests between blocks, as a loader's workers, begins anew in it
  wait_for_device(measurement.session);
  measurement.log.clear();
  const auto add = [&](const Metric& metric, double count) { recorder.add_metric(arm.name, metric, count / kCountedSteps); };
  {
    const TensorOperations seen;
    const auto allocations_before = heap_allocations;
    for (std::int64_t i = 0; i < kCountedSteps; ++i) arm.arm->step();
    const auto allocations = static_cast<double>(heap_allocations - allocations_before);
    add(kMetrics.tensor_ops, seen.operations());
    add(kMetrics.host_reads, seen.host_reads());
    if (counts_heap_allocations) add(kMetrics.heap_allocations, allocations);
  }
  quiesce_arm(measurement.session, *arm.arm);
  add_collectives(measurement.log, arm, recorder);
  add(kMetrics.python_calls, arm.arm->interpreted_calls(kCountedSteps));
}

}  // namespace ddpbench
