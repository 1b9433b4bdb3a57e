#pragma once
#include <CLI/App.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "suite/contract/launch/protocol.hpp"

namespace ddpbench {

// Bounds the looks of `--until settled --minutes M`, which adds launches until every verdict stands. Each look takes its share of
// the 5 % (protocol.looks), so that looking costs no truth.
inline constexpr std::int64_t kMostLooks = 5;

// Holds the options --until, --minutes and --launches.
struct StoppingRequest {
  std::string until, launches;
  double minutes = 20;

  bool until_settled() const { return !until.empty(); }
};

// Declares these options; they are read into `request`.
void add_look_arguments(CLI::App& app, StoppingRequest& request);

// Checks them. Throws UsageError that says what is legal.
void check(const StoppingRequest& request);

// Counts what a folder that is to be continued holds: launches of each cell, planned and measured, and looks, planned and taken.
struct ExistingRun {
  std::int64_t launches = 0, measured = 0;
  std::int64_t looks = 1, looks_taken = 0;
};

// Counts launches of each cell, and looks at them.
struct InterimPlan {
  std::int64_t launches = 0, looks = 1;
};

// Returns what is to be measured: what the experiment asks for, or as much as the folder has already, or what is asked for now. A
// folder that gets more after it was looked at is looked at by plan from then on. Throws UsageError where that would be one look
// too many, and as wanted_launches does.
InterimPlan wanted_looks(const StoppingRequest& request, const ExistingRun& begun, const Protocol& of_experiment);

// Parses "8": so many launches of each cell; "+3": so many more than there are (`has`; 0: there is no folder yet, which is
// refused). Returns `has` itself where nothing is asked for. Throws UsageError for what is no number, or for fewer than there
// are.
std::int64_t wanted_launches(const StoppingRequest& request, std::int64_t has);

// Says when the command began, and how many launches of each cell (and side) there were before it.
struct LookClock {
  std::chrono::system_clock::time_point started;
  std::int64_t launches_before = 0;

  double spent_s() const { return std::chrono::duration<double>(std::chrono::system_clock::now() - started).count(); }

  // Returns the time that one more of each takes where there are `launches` now: as this command found it; where it has measured
  // none, `expected_s` of all.
  double seconds_of_one(std::int64_t launches, double expected_s) const;
};

// Says how it stands at a look.
struct InterimState {
  std::int64_t looks = 1;     // taken, this one included
  std::int64_t launches = 0;  // of each cell (and side), measured
  double needed = 0;          // that what is open is thought to need; NaN: not known
  double seconds_of_one = 0;  // that a launch of every cell (and side) takes
  double left_s = 0;          // of the time that is allowed
};

// Returns the launches of each cell at the next look; `launches` itself: there is none. Before the last look as many as are
// thought to be needed, but at least a quarter more and at most three times as many; at the last one all that the time allows.
std::int64_t launches_at_next_look(const InterimState& state);

// Returns the same, and tells it on the standard error: up to how many launches it goes, or why it goes no farther. `open`: "3
// verdicts"; `of_what`: "of each cell".
std::int64_t tell_next_look(const InterimState& state, const std::string& open, const std::string& of_what);

// Says why there is no other look: "the time is up (20 minutes)", "five looks were taken".
std::string why_no_other_look(const InterimState& state);

}  // namespace ddpbench
