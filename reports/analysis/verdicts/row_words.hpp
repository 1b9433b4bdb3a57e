#pragma once
#include <string>

#include "suite/contract/rows.hpp"

namespace ddpbench {

// "EQUIVALENT", or "not resolved" for what has no answer.
std::string verdict_words(const OverheadRow& row);
bool is_resolved(const OverheadRow& row);

// "+1.6 us [+1.2, +2.0] per step of host CPU (+0.52 % [..] of 310 us)": never a relative figure without its absolute.
std::string overhead_words(const OverheadRow& row);

// " and +0.4 us [+0.3, +0.5] per step for work of every n-th step"; "" where the arm has no such work.
std::string periodic_words(const OverheadRow& row);

// "host CPU" of "thread_cpu".
std::string clock_words(const std::string& clock);

}  // namespace ddpbench
