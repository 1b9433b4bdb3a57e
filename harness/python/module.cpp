// The extension module ddpbench_harness: the harness of ddpbench-worker in a Python process.
#include <torch/csrc/utils/pybind.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "harness/api/session.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/python/call_counter.hpp"
#include "harness/python/python_arm.hpp"
#include "harness/python/python_runtime.hpp"
#include "harness/rank_process.hpp"

namespace py = pybind11;

namespace ddpbench {
namespace {

// PhaseScope for Python's `with`. One per range and session; scopes of one range do not nest.
class PhaseMark {
 public:
  PhaseMark(Session& session, PhaseRange range) : session_(session), range_(range) {}
  void begin() {
    outer_ = session_.timer.enter(phase_of(range_));
    if (auto* ranges = session_.timer.ranges()) ranges->push(range_);
  }
  void end() {
    if (auto* ranges = session_.timer.ranges()) ranges->pop();
    session_.timer.enter(outer_);
  }

 private:
  Session& session_;
  PhaseRange range_;
  Phase outer_ = Phase::kOther;
};

std::pair<at::Tensor, at::Tensor> next_batch(Session& session) {
  const PhaseScope scope(session.timer, Phase::kData);
  auto batch = session.batches.next();
  return {std::move(batch.input), std::move(batch.target)};
}

py::object to_python(const Records& records) {
  if (!records.images.defined()) return py::none();
  return py::make_tuple(records.images, records.labels, records.mean, records.deviation);
}

std::int64_t skip_batch(Session& session) {
  const auto position = session.batches.position();
  session.batches.seek(position + 1);
  return position;
}

// The interpreter's lock is not held while the block runner measures.
int run(const std::vector<std::string>& tokens, py::object made) {
  PythonRuntime runtime(std::move(made));
  const py::gil_scoped_release unlocked;
  return static_cast<int>(run_rank_process("ddpbench_arms", tokens, runtime));
}

void define(py::module_& module) {
  py::class_<PhaseMark>(module, "PhaseMark")
      .def("__enter__", &PhaseMark::begin)
      .def("__exit__", [](PhaseMark& mark, const py::args& /*raised*/) { mark.end(); });
  py::class_<Session>(module, "Session", "What an arm may touch of its launch.")
      .def("next_batch", &next_batch, "The launch's next batch: input and target, on the host.")
      .def(
          "phase",
          [](Session& session, const std::string& name) {
            for (std::size_t i = 0; i < kPhaseRangeCount; ++i) {
              if (name == kPhaseRangeNames.at(i)) return PhaseMark(session, static_cast<PhaseRange>(i));
            }
            throw py::value_error("no phase '" + name + "'");
          },
          py::keep_alive<0, 1>(), "A mark of that phase, or of `zero_grad`, for `with`: NVTX range and clock.")
      .def_property_readonly("accumulate", [](const Session& session) { return session.options.accumulate; })
      .def_property_readonly("clip_norm", [](const Session& session) { return session.options.clip_norm; })
      .def(
          "records", [](Session& session) { return to_python(session.batches.records()); },
          "The training set's images, labels, mean and deviation; None where batches are made of none.")
      .def(
          "held_out", [](Session& session) { return to_python(session.batches.held_out()); },
          "The same of images that no batch holds.")
      .def(
          "records_at", [](Session& session, std::int64_t position) { return session.batches.records_at(position); },
          "The numbers of the records that make the batch at this position.")
      .def(
          "seek", [](Session& session, std::int64_t position) { session.batches.seek(position); },
          "Makes the launch's next batch the one at this position, counted from 0.")
      .def("skip_batch", &skip_batch, "Passes the launch's next batch by; the number of batches before it.")
      .def("watch_stop_signals", [](const Session& /*session*/) { watch_stop_signals(); })
      .def("stop_requested", [](const Session& /*session*/) { return stop_requested(); })
      .def("note_skipped_step", [](Session& session) { ++session.skipped_steps; });
  py::class_<CallCounter>(module, "CallCounter", "Counts calls of functions in Python on this thread.")
      .def("begin", [](const CallCounter& /*counter*/) { CallCounter::begin(); })
      .def("end", [](const CallCounter& /*counter*/) { CallCounter::end(); })
      .def("reset", [](const CallCounter& /*counter*/) { CallCounter::reset(); })
      .def_property_readonly("calls", [](const CallCounter& /*counter*/) { return CallCounter::calls(); });
  module.def("run", &run, py::arg("tokens"), py::arg("runtime"), "One rank of one launch; what its process exits with.");
  module.def(
      "leave", [](int code) { leave_process(static_cast<ExitCode>(code)); }, "The last call of the process.");
  module.def("arm_in_python", &arm_in_python, "The arm whose Python code runs now, or ran last.");
}

}  // namespace
}  // namespace ddpbench

PYBIND11_MODULE(ddpbench_harness, module) { ddpbench::define(module); }
