#include <array>

#include "suite/contract/tables/schema.hpp"

// What `run --profile` leaves in a results folder.
namespace ddpbench {
namespace {

const std::array kProfileColumns{
    Column<ProfileRow>{"launch_id", &ProfileRow::launch_id, "one start of all ranks"},
    Column<ProfileRow>{"cell_id", &ProfileRow::cell_id, "of the launch"},
    Column<ProfileRow>{"profiler", &ProfileRow::profiler, "kineto or nsys"},
    Column<ProfileRow>{"arms", &ProfileRow::arms, "in the order in which they ran, separated by blanks"},
    Column<ProfileRow>{"rank", &ProfileRow::rank, "whose trace it is"},
    Column<ProfileRow>{"first_step", &ProfileRow::first_step, "of each arm, from 1; those before warmed it up"},
    Column<ProfileRow>{"last_step", &ProfileRow::last_step, "of each arm"},
    Column<ProfileRow>{"file", &ProfileRow::file, "the trace; empty: this rank left none"},
    Column<ProfileRow>{"steps_file", &ProfileRow::steps_file,
                       "the timers' rows of the same steps, with the columns of steps.csv"},
    Column<ProfileRow>{"status", &ProfileRow::status, "ok, or how the launch ended"},
    Column<ProfileRow>{"reason", &ProfileRow::reason, "why it is not ok"},
};

const std::array kTracePartColumns{
    Column<TracePartRow>{"launch_id", &TracePartRow::launch_id, "one start of all ranks"},
    Column<TracePartRow>{"cell_id", &TracePartRow::cell_id, "of the launch"},
    Column<TracePartRow>{"arm", &TracePartRow::arm, "whose step it is"},
    Column<TracePartRow>{"rank", &TracePartRow::rank, "whose trace it is"},
    Column<TracePartRow>{"steps", &TracePartRow::steps, "that the trace shows of the arm"},
    Column<TracePartRow>{
        "part", &TracePartRow::part,
        "of the step, as `ddpbench trace` names it; step: all of it; waiting for a slower rank: a part of exposed communication"},
    Column<TracePartRow>{"us", &TracePartRow::us, "a step, mean; what recording costs is in it", "us"},
    Column<TracePartRow>{"share", &TracePartRow::share, "of the step, from 0 to 1"},
};

}  // namespace

template <>
std::span<const Column<ProfileRow>> columns<ProfileRow>() {
  return kProfileColumns;
}
template <>
std::span<const Column<TracePartRow>> columns<TracePartRow>() {
  return kTracePartColumns;
}

}  // namespace ddpbench
