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

const std::array kTraceMemoryColumns{
    Column<TraceMemoryRow>{"launch_id", &TraceMemoryRow::launch_id, "one start of all ranks"},
    Column<TraceMemoryRow>{"cell_id", &TraceMemoryRow::cell_id, "of the launch"},
    Column<TraceMemoryRow>{"arm", &TraceMemoryRow::arm, "whose step it is: the one of median length in the trace"},
    Column<TraceMemoryRow>{"rank", &TraceMemoryRow::rank, "whose trace it is"},
    Column<TraceMemoryRow>{"device", &TraceMemoryRow::device, "cpu, or cuda:0 and the like"},
    Column<TraceMemoryRow>{"phase", &TraceMemoryRow::phase, "the innermost one from here to the next row; end: the step is over"},
    Column<TraceMemoryRow>{"us", &TraceMemoryRow::us, "since the step's begin; what recording costs is in it", "us"},
    Column<TraceMemoryRow>{"allocated_mib", &TraceMemoryRow::allocated_mib,
                           "what tensors take of the device from here on; rows that lie close together are one, the largest",
                           "MiB"},
    Column<TraceMemoryRow>{"reserved_mib", &TraceMemoryRow::reserved_mib,
                           "what the caching allocator holds of it; empty: of the CPU", "MiB"},
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
template <>
std::span<const Column<TraceMemoryRow>> columns<TraceMemoryRow>() {
  return kTraceMemoryColumns;
}

}  // namespace ddpbench
