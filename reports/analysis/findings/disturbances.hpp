#pragma once
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Holds in what percentage of all super-blocks the ranks did not get the cores that they wanted, by who took most.
struct Disturbances {
  double quota = 0;       // the control group had used up its quota of CPU time
  double hypervisor = 0;  // other machines on the same host
  double programs = 0;    // other programs of this machine
};
// Counts them over all cells of the study, or over one cell; 0 where there are no super-blocks.
Disturbances disturbances(const Study& study);
Disturbances disturbances(const Cell& cell);
template <>
Disturbances make_finding(const Findings& findings);

// Says whether a quota held the ranks back so often that figures of the wall clock tell about the quota.
bool is_throttled(const Disturbances& found);
// Says whether other programs or machines did so.
bool is_busy(const Disturbances& found);

// Says whether shares of the step may be told: on the wall clock a quota, or a busy machine, lengthens the step that they are of.
bool tells_shares(const Study& study, const Disturbances& found);

}  // namespace ddpbench
