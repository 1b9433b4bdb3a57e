#include "harness/python/python_arm.hpp"

#include <chrono>
#include <cstdint>
#include <tuple>
#include <utility>

#include "harness/python/call_counter.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

namespace py = pybind11;

// One thread runs Python's arms; what its other threads print is the arm's too.
std::string& current_arm() {
  static std::string arm;
  return arm;
}

}  // namespace

const std::string& arm_in_python() { return current_arm(); }

void set_arm_in_python(const std::string& arm) {
  current_arm() = arm;
  tell_arm(arm);
}

void throw_for_arm(const std::string& arm, py::error_already_set& raised) {
  const auto words = py::module_::import("ddpbench_arms.output").attr("words_of")(raised.value()).cast<std::string>();
  try {
    py::module_::import("traceback").attr("print_exception")(raised.value());
    py::module_::import("sys").attr("stderr").attr("flush")();
  } catch (const py::error_already_set&) {  // NOLINT(bugprone-empty-catch): the reason counts, and is told without its traceback
  }
  throw Error("arm '" + arm + "': " + words);
}

PythonArm::PythonArm(std::string name, py::object arm, BlockConditions conditions)
    : name_(std::move(name)), arm_(std::move(arm)), step_(arm_.attr("step")), conditions_(conditions) {}

PythonArm::~PythonArm() {
  const py::gil_scoped_acquire lock;
  step_ = py::object();
  arm_ = py::object();
}

// The loss leaves without its graph, which then ends with the step.
at::Tensor PythonArm::step() {
  return run_for_arm(name_, [&] {
    try {
      return first_step_s_ > 0 ? one_step() : timed_first_step();
    } catch (const py::cast_error&) {
      throw Error("arm '" + name_ + "': its step gave no loss");
    }
  });
}

at::Tensor PythonArm::one_step() { return step_().cast<at::Tensor>().detach(); }

at::Tensor PythonArm::timed_first_step() {
  const auto begin = std::chrono::steady_clock::now();
  auto loss = one_step();
  first_step_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return loss;
}

void PythonArm::quiesce() { call("quiesce"); }

std::vector<PeriodicWork> PythonArm::periodic_work() {
  return run_for_arm(name_, [&] {
    std::vector<PeriodicWork> works;
    for (const auto& work : arm_.attr("periodic_work")()) {
      const auto [name, every, method] = work.cast<std::tuple<std::string, std::int64_t, std::string>>();
      works.push_back({name, every, [this, method = method] { call(method.c_str()); }, /*is_in_a_step=*/true});
    }
    return works;
  });
}

void PythonArm::run_whole_trainings() { call("run_whole_trainings"); }

std::vector<ArmMetric> PythonArm::metrics() const {
  return run_for_arm(name_, [&] {
    std::vector<ArmMetric> metrics;
    const auto told = arm_.attr("once_rows")(first_step_s_);
    for (const auto& [name, took_s] : told.cast<std::vector<std::pair<std::string, double>>>()) {
      metrics.push_back({kMetrics.once, took_s, name});
    }
    return metrics;
  });
}

double PythonArm::interpreted_calls(std::int64_t steps) {
  return run_for_arm(name_, [&] { return arm_.attr("function_calls")(CallCounter(), steps).cast<double>(); });
}

void PythonArm::take_state(std::span<const at::Tensor> kept) {
  run_for_arm(name_, [&] { arm_.attr("take_state")(std::vector<at::Tensor>(kept.begin(), kept.end())); });
}

void PythonArm::call(const char* method) const {
  run_for_arm(name_, [&] { arm_.attr(method)(); });
}

std::vector<at::Tensor> PythonArm::tensors_of(const char* method) const {
  return run_for_arm(name_, [&] { return arm_.attr(method)().cast<std::vector<at::Tensor>>(); });
}

}  // namespace ddpbench
