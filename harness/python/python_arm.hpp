#pragma once
#include <torch/csrc/utils/pybind.h>

#include <span>
#include <string>
#include <vector>

#include "harness/api/arm.hpp"

namespace ddpbench {

// Drives an arm whose loop is Python's. The object has step() -> loss, state() and replicated_state() -> tensors and
// take_state(tensors) (as Training), quiesce(), periodic_work() -> [(name, every, the method that is a step with the work in
// it)], run_whole_trainings(), and once_rows(seconds of the first step) -> [(name, seconds)]. Every call takes the interpreter's lock, which the
// block runner does not hold. Throws what the object raises as an Error that names the arm; its traceback is on stderr by then.
class PythonArm final : public Arm, private Training {
 public:
  // Called under the interpreter's lock.
  PythonArm(std::string name, pybind11::object arm, BlockConditions conditions);
  ~PythonArm() override;
  PythonArm(const PythonArm&) = delete;
  PythonArm& operator=(const PythonArm&) = delete;

  at::Tensor step() override;
  BlockConditions conditions() const override { return conditions_; }
  Training* own_training() override { return this; }
  void quiesce() override;
  std::vector<PeriodicWork> periodic_work() override;
  void run_whole_trainings() override;
  std::vector<ArmMetric> metrics() const override;
  double interpreted_calls(std::int64_t steps) override;

 private:
  at::Tensor one_step();
  at::Tensor timed_first_step();
  std::vector<at::Tensor> state() override { return tensors_of("state"); }
  std::vector<at::Tensor> replicated_state() override { return tensors_of("replicated_state"); }
  void take_state(std::span<const at::Tensor> kept) override;
  std::vector<at::Tensor> tensors_of(const char* method) const;
  void call(const char* method) const;

  std::string name_;
  pybind11::object arm_, step_;  // step_: the bound method, looked up once
  BlockConditions conditions_;
  double first_step_s_ = 0;  // wall; 0: none yet
};

// Returns the arm whose Python code runs now, or ran last: what Python prints is its. "": none yet. Both need the interpreter's
// lock.
const std::string& arm_in_python();
// Sets it.
void set_arm_in_python(const std::string& arm);

// Writes the traceback of what Python raised for `arm` to stderr, and throws an Error that says "arm 'py_raw': ValueError: …".
// Needs the interpreter's lock.
[[noreturn]] void throw_for_arm(const std::string& arm, pybind11::error_already_set& raised);

// Runs `body`, Python's work for an arm, under the interpreter's lock, its output under the arm's name; throws as throw_for_arm
// does.
template <class Body>
auto run_for_arm(const std::string& arm, Body&& body) {
  const pybind11::gil_scoped_acquire lock;
  set_arm_in_python(arm);
  try {
    return body();
  } catch (pybind11::error_already_set& raised) {
    throw_for_arm(arm, raised);
  }
}

}  // namespace ddpbench
