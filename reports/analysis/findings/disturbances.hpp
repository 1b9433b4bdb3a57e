#pragma once
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Of all super-blocks, percent: those in which the ranks did not get the cores that they wanted, by who took most.
struct Disturbances {
  double quota = 0;       // the control group had used up its quota of CPU time
  double hypervisor = 0;  // other machines on the same host
  double programs = 0;    // other programs of this machine
};
Disturbances disturbances(const Study& study);
Disturbances disturbances(const Cell& cell);

// Whether a quota held the ranks back so often that figures of the wall clock tell about the quota; whether other programs or machines did.
bool is_throttled(const Disturbances& found);
bool is_busy(const Disturbances& found);

// Whether shares of the step may be told: on the wall clock a busy machine lengthens the step that they are of.
bool tells_shares(const Study& study, const Disturbances& found);

}  // namespace ddpbench
