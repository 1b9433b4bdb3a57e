#pragma once
#include <cstdint>
#include <ctime>

namespace ddpbench {

// Reads a POSIX clock, in nanoseconds.
inline std::int64_t read_clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Returns wall time that no clock adjustment moves. A read takes 17 ns here (vDSO); the CPU clocks are system calls of some
// hundred ns, so they are read once per step boundary and never per phase.
inline std::int64_t wall_ns() { return read_clock_ns(CLOCK_MONOTONIC); }
inline std::int64_t thread_cpu_ns() { return read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }    // of the calling thread
inline std::int64_t process_cpu_ns() { return read_clock_ns(CLOCK_PROCESS_CPUTIME_ID); }  // of all threads together
inline std::int64_t unix_ns() { return read_clock_ns(CLOCK_REALTIME); }                   // since 1970; clock adjustments move it

// Divides, rather than multiplies by 1e-9: the quotient is the double nearest to the decimal, which prints with the digits of the
// ns count.
inline double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

}  // namespace ddpbench
