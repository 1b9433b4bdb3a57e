#pragma once
#include <torch/csrc/utils/pybind.h>

#include <cstdint>

namespace ddpbench {

// Counts calls of functions in Python on the thread that began to count, in every frame from the one that began outwards and in
// all that these call; a greenlet has frames of its own, and begins for itself. To be used under the interpreter's lock; there is
// one for all, as the interpreter has one hook.
class CallCounter {
 public:
  static void begin() { PyEval_SetProfile(&count, nullptr); }
  static void end() { PyEval_SetProfile(nullptr, nullptr); }
  static void reset() { calls_ = 0; }
  static std::int64_t calls() { return calls_; }

 private:
  static int count(PyObject* /*self*/, PyFrameObject* /*frame*/, int what, PyObject* /*of*/) {
    if (what == PyTrace_CALL) ++calls_;
    return 0;
  }
  static inline std::int64_t calls_ = 0;
};

}  // namespace ddpbench
