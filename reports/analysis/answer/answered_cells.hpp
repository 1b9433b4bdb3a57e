#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/settings/setting_groups.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"
#include "reports/analysis/verdicts/row_index.hpp"

namespace ddpbench {

// These choose what the answer is about: an arm of a family, the cell with the shortest step on which it has an estimate (there
// the cost is seen best), and the longest step of the same setting, which is the user's.

// Below this share of a step only that is said: digits would pretend to be exact.
inline constexpr double kNegligiblePercent = 0.001;

// Holds a cell and how long the reference's step takes there.
struct TimedCell {
  const Cell* cell;
  double step_s;          // what the user waits for
  std::string reference;  // whose step that is
};

// Returns the references with a step that was timed.
std::vector<std::string> finished_references(const Study& study);

// Returns the measured arm of the reference's family that the answer is about (where none was measured, of all): a whole wrapper,
// else what comes nearest to it; "": nothing was compared with it.
std::string answered_arm(const Study& study, const std::string& reference);

// Returns the arm of the same base to which most features are added: the framework as people run it ("py_lightning+typical"). ""
// where there is none, or the answered arm has features of its own.
std::string fullest_arm(const Study& study, const std::string& answered);

// Returns the cells of the family whose reference step is known, shortest first.
std::vector<TimedCell> cells_by_step(const Study& study, const std::string& reference);

const OverheadRow* find_row(const RowIndex& rows, const Cell& cell, const std::string& arm, Clock clock);  // nullptr: none

// Holds, for one setting, the step from which the constant was taken (without any estimate the shortest), the longest step, and
// the law that leads from one to the other. In a cell without the arm's family the step is that of the cell's first one.
struct Span {
  TimedCell shortest, longest;
  const StepTimeLaw* law;  // nullptr: none
  SettingGroup group;
};
// Returns one span for each setting in which the arm's reference was timed: first the one with the shortest step on which the arm
// has an estimate. The arm must have a reference that was timed (finished_references), so that there is one.
std::vector<Span> spans_of(const Findings& findings, const RowIndex& rows, const std::string& arm);

// Returns "convnet_cifar10, batch 4, 2 ranks, gloo".
std::string place_phrase(const Cell& cell);

// Returns "raw DDP".
std::string reference_phrase(const Cell& cell, const std::string& reference);

// Returns "1 failed, 2 never ran"; "" where all launches ended well.
std::string failed_launches(const Study& study);

// Returns why there is neither an answer nor a figure: "no launch finished; of 2 launches: 2 failed"; "" where there is one.
std::string why_nothing(const Study& study);

}  // namespace ddpbench
