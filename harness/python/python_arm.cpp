#include "harness/python/python_arm.hpp"

#include <utility>

#include "suite/base/errors.hpp"

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

void set_arm_in_python(const std::string& arm) { current_arm() = arm; }

void throw_for_arm(const std::string& arm, py::error_already_set& raised) {
  const auto type = raised.type().attr("__name__").cast<std::string>();
  const auto message = py::str(raised.value()).cast<std::string>();
  try {
    py::module_::import("traceback").attr("print_exception")(raised.value());
    py::module_::import("sys").attr("stderr").attr("flush")();
  } catch (const py::error_already_set&) {  // NOLINT(bugprone-empty-catch): the reason counts, and is told without its traceback
  }
  throw Error("arm '" + arm + "': " + type + (message.empty() ? "" : ": " + message));
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
  const py::gil_scoped_acquire lock;
  set_arm_in_python(name_);
  try {
    return step_().cast<at::Tensor>().detach();
  } catch (py::error_already_set& raised) {
    throw_for_arm(name_, raised);
  } catch (const py::cast_error&) {
    throw Error("arm '" + name_ + "': its step gave no loss");
  }
}

void PythonArm::quiesce() {
  const py::gil_scoped_acquire lock;
  try {
    arm_.attr("quiesce")();
  } catch (py::error_already_set& raised) {
    throw_for_arm(name_, raised);
  }
}

std::vector<at::Tensor> PythonArm::tensors_of(const char* method) {
  const py::gil_scoped_acquire lock;
  try {
    return arm_.attr(method)().cast<std::vector<at::Tensor>>();
  } catch (py::error_already_set& raised) {
    throw_for_arm(name_, raised);
  }
}

}  // namespace ddpbench
