#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suite/traces/timer_agreement.hpp"
#include "suite/traces/trace_summary.hpp"

namespace ddpbench {

// Says what one file told: the sums of its arms, and its timers where they stand beside it.
struct RankReport {
  RankSummary summary;
  std::optional<TimerComparison> timers;
};

// Puts together the ranks of one arm of one launch whose traces hold the same details.
struct ArmReport {
  std::string launch, arm;
  TraceDetail detail = TraceDetail::kOperations;
  StepSource source = StepSource::kWholeWindow;
  ArmSum all;
  struct OfRank {
    std::string rank;
    const ArmSum* sum;
    std::vector<TimerRow> timers;
    std::optional<int> number{};
    std::int64_t waited_ns = 0;  // for a slower rank: what it exposes beyond the rank that exposes least in the same block
  };
  std::vector<OfRank> ranks;  // in the order of the files
  std::optional<std::int64_t>
      waited_ns;  // of all ranks; nothing of one rank, where two are the same one, and where the traces do not tell it
};

// Returns the ranks' arms put together, in order of the launches and of the arms' first steps. Points into `ranks`.
std::vector<ArmReport> arm_reports(const std::vector<RankReport>& ranks);

// Returns whether all timers agree with their traces; true without timers.
bool timers_agree(const std::vector<RankReport>& ranks);

// Returns the mean time of a step in microseconds.
double step_us(const ArmSum& sum);

// Returns so many nanoseconds of all steps as microseconds a step.
double us_per_step(const ArmSum& sum, std::int64_t nanoseconds);

// Returns the share of the steps' time, from 0 to 1; 0 without any.
double share_of(const ArmSum& sum, std::int64_t nanoseconds);

// Returns the parts of the mean step that such a trace has, in their order: their names, microseconds and shares of the step.
struct PartOfStep {
  const char* name;
  double us, share;
};
std::vector<PartOfStep> parts_of_step(const ArmSum& sum, TraceDetail detail);

// Returns the rank that took longest by itself, without the communication that it waited for; null of one
// rank, and where a trace does not tell that.
const ArmReport::OfRank* slowest_rank(const ArmReport& arm);

// Returns the names that took longest, at most `count`, longest first.
std::vector<std::pair<std::string, NamedTime>> longest(const std::map<std::string, NamedTime>& names, std::size_t count);

// Returns the answer: a sentence for each arm.
std::vector<std::string> answer_sentences(const std::vector<ArmReport>& arms);

// Returns what a person reads: the answer, what must be known of it, then tables for each arm with `top` names.
std::string trace_text(const std::vector<RankReport>& ranks, std::size_t top);

// Returns the same for programs (docs/contract.md).
nlohmann::ordered_json trace_json(const std::vector<RankReport>& ranks, std::size_t top);

// Returns rows arm,rank,part,us,share,launch: us a step, and share of the step; rank "all" is the mean of all ranks' steps.
std::string trace_csv(const std::vector<RankReport>& ranks);

}  // namespace ddpbench
