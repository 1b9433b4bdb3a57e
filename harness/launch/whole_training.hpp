#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// Holds what a whole training does, alike for all arms of a launch.
struct TrainingPlan {
  bool is_warm_up = false;  // of which nothing is told
  std::int64_t epochs = 1;
  std::int64_t steps = 1;               // of an epoch
  std::int64_t validation_batches = 0;  // of a rank at each epoch's end; as many in the test run; 0: all
  std::int64_t patience = 0;     // epochs without a smaller validation loss, behind which it ends; 0: it ends behind the last
  double injected_s = 0;         // of the rank's CPU time behind each step
  std::int64_t resume_step = 0;  // of all epochs' steps, behind which it is made anew from its checkpoint; 0: it is not
};

// Holds a part of an epoch's time, or what a call took of the part.
struct EpochPart {
  std::int64_t epoch = 0;  // from 1
  std::string part, call;  // call "": the part itself
  double seconds = 0;
};

// Holds what arms must agree about at an epoch's end.
struct EpochEnd {
  double loss = 0;                                      // of the rank's last step
  double validation_loss = 0, validation_accuracy = 0;  // over the batches of all ranks
  std::string digest;                                   // of the parameters
};

// Holds a training that has ended. The parts of an epoch add up to its time.
struct TrainingResult {
  std::vector<EpochPart> parts;
  std::vector<EpochEnd> epochs;
  double test_accuracy = 0;
};

}  // namespace ddpbench
