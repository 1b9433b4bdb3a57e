#pragma once
#include "suite/base/errors.hpp"

namespace ddpbench {

// Says that the loss of a measured step is infinite or not a number: such a step is not the work that was to be timed. The launch
// ends as `wrong_result`; what was measured before stays.
class DivergedError : public Error {
 public:
  using Error::Error;
};

}  // namespace ddpbench
