#pragma once
#include "suite/base/errors.hpp"

namespace ddpbench {

// The loss of a measured step is infinite or not a number: a step of such a training is not the work that was to be timed. The launch ends
// as `wrong_result`; what was measured before stays.
class DivergedError : public Error {
 public:
  using Error::Error;
};

}  // namespace ddpbench
