#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/findings/ladder.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

namespace instruction_kind {
inline constexpr const char* kArm = "arm";  // an arm less its reference; all others are a ladder's (ladder_kind)
}

namespace instruction_verdict {
inline constexpr const char* kEqual = "EQUAL";  // to within the margin
inline constexpr const char* kMore = "MORE";    // surely more than the margin allows
inline constexpr const char* kFewer = "FEWER";  // surely fewer
inline constexpr const char* kOpen = "OPEN";    // these data do not decide
inline constexpr const char* kNone = "";        // shown only: a rung; beside a device, where a thread that waits may spin
}  // namespace instruction_verdict

// Holds what an arm or a rung does beyond its reference in instructions of one step on the host, in user space, mean over the
// ranks. Noise of the host hardly moves them, so that they tell arms apart where time cannot; what they cost in time they do not
// tell (docs/measurement.md, "Instructions").
struct InstructionRow {
  std::string cell_id, kind, feature, arm, reference;
  double reference_per_step = kNotMeasured;  // median over blocks
  // Paired within super-blocks as times are; the study's confidence.
  Estimate extra, extra_percent;                      // extra_percent: of reference_per_step
  double aa_lo = kNotMeasured, aa_hi = kNotMeasured;  // of the A/A arm
  double margin = kNotMeasured;                       // margin_percent of the reference's: as many as that are none
  std::int64_t pairs = 0, launches = 0;
  std::string verdict, reason;

  double percent(double of) const { return 100 * of / reference_per_step; }
};

// Makes the rows of every cell in which instructions were counted: its arms, then the rungs of their ladders. Verdicts hold
// together (Bonferroni over the study's arms that are no controls).
std::vector<InstructionRow> instruction_rows(const Study& study);
template <>
std::vector<InstructionRow> make_finding(const Findings& findings);

}  // namespace ddpbench
