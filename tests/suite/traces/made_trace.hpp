#pragma once
#include <cstdint>
#include <string>

#include "suite/traces/trace.hpp"

namespace ddpbench::test {

// Makes a trace event by event. Times in nanoseconds; thread "main" is the step's.
class MadeTrace {
 public:
  MadeTrace() { trace_.file = "made.json"; }

  // NOLINTNEXTLINE(readability-function-size): the fields of an event, as a test writes them down
  MadeTrace& add(EventKind kind, const std::string& name, std::int64_t begin, std::int64_t end,
                 const std::string& thread = "main", std::uint32_t correlation = 0, std::int64_t value = 0) {
    Event event{begin, end, value, trace_.names.id(name), trace_.threads.id(thread), correlation, kind};
    trace_.events.push_back(event);
    return *this;
  }
  MadeTrace& operation(const std::string& name, std::int64_t begin, std::int64_t end, const std::string& thread = "main") {
    return add(EventKind::kOperation, name, begin, end, thread);
  }
  MadeTrace& step(std::int64_t begin, std::int64_t end, std::int64_t number = 1) {
    return add(EventKind::kStep, "ProfilerStep#" + std::to_string(number), begin, end, "main", 0, number);
  }
  MadeTrace& phase(const std::string& name, std::int64_t begin, std::int64_t end) {
    return add(EventKind::kPhase, name, begin, end, "main", 0, phase_place(name).value());
  }
  MadeTrace& block(const std::string& arm, std::int64_t begin, std::int64_t end) {
    return add(EventKind::kBlock, arm, begin, end);
  }

  MadeTrace& memory(std::int64_t time, std::int64_t allocated, std::int64_t reserved = 0, const std::string& device = "cpu") {
    trace_.memory.push_back({time, allocated, reserved, trace_.devices.id(device)});
    return *this;
  }
  MadeTrace& knows_all_host_memory(bool known) {
    trace_.knows_all_host_memory = known;
    return *this;
  }

  const Trace& done() {
    sort_events(trace_);
    return trace_;
  }

 private:
  Trace trace_;
};

}  // namespace ddpbench::test
