#include "suite/traces/timer_agreement.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

using StepPlace = std::tuple<std::string, int, int>;  // arm, its block and step, from 1

// Numbers the timed steps: an arm's blocks in their order, steps in their block.
std::map<StepPlace, const StepRow*> placed_rows(const std::vector<StepRow>& timers) {
  std::map<StepPlace, const StepRow*> places;
  std::map<std::string, int> blocks;
  const StepRow* last = nullptr;
  int step = 0;
  for (const auto& row : timers) {
    if (row.discarded || row.step < 1 || std::isnan(row.step_s)) continue;
    if (last == nullptr || row.super_block != last->super_block || row.block != last->block || row.arm != last->arm) {
      ++blocks[row.arm];
      step = 0;
    }
    places[{row.arm, blocks[row.arm], ++step}] = &row;
    last = &row;
  }
  return places;
}

std::array<double, kPhaseCount> phases_of(const StepRow& row) {
  return {row.data_s, row.h2d_s, row.forward_s, row.backward_s, row.optimizer_s, row.wrapper_s, row.other_s};
}

// The steps that both have: their phases, and the whole step behind them. Compared step by step, by the median: a rank that loses its
// core between a clock and a mark makes one step of the two differ by milliseconds.
struct BothTimes {
  std::array<std::vector<double>, kPhaseCount + 1> trace_us{}, timer_us{};
  std::int64_t steps() const { return static_cast<std::int64_t>(trace_us.front().size()); }
};

void add_step(BothTimes& times, const StepPhases& step, const StepRow& row) {
  constexpr double kNanosecondsPerMicrosecond = 1e3, kMicrosecondsPerSecond = 1e6;
  const auto timers = phases_of(row);
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    times.trace_us[i].push_back(static_cast<double>(step.phases_ns[i]) / kNanosecondsPerMicrosecond);
    times.timer_us[i].push_back(timers[i] * kMicrosecondsPerSecond);
  }
  times.trace_us[kPhaseCount].push_back(static_cast<double>(step.step_ns) / kNanosecondsPerMicrosecond);
  times.timer_us[kPhaseCount].push_back(row.step_s * kMicrosecondsPerSecond);
}

// Of a phase that was not stamped nothing is known.
double median_or_nan(const std::vector<double>& values) {
  const auto is_missing = [](double value) { return std::isnan(value); };
  return std::any_of(values.begin(), values.end(), is_missing) ? kNotMeasured : median(values);
}

// The two that lie around the others are bounded by the marks of all of them, and by the step's own.
double marks_per_step(const ArmSum& arm, std::size_t phase) {
  const bool lies_around = phase == index_of(Phase::kOther) || phase == index_of(Phase::kWrapper);
  double marks = lies_around ? static_cast<double>(arm.steps) : 0;
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    if (i == phase || lies_around) marks += static_cast<double>(arm.phases[i].marks);
  }
  return std::max(1.0, marks / static_cast<double>(arm.steps));
}

double median_difference(const std::vector<double>& of_trace, const std::vector<double>& of_timers) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < of_trace.size(); ++i) differences.push_back(of_trace[i] - of_timers[i]);
  return median_or_nan(differences);
}

void add_rows(TimerComparison& comparison, const std::string& name, const ArmSum& arm, const BothTimes& times) {
  constexpr double kShare = 0.05, kMicrosecondsPerMark = 2;
  constexpr double kNothing = 0.05;  // us: less is told by neither
  for (std::size_t i = kPhaseCount + 1; i-- > 0;) {
    TimerRow row{name, i == kPhaseCount ? "step" : kPhaseNames[i], median(times.trace_us[i]), median_or_nan(times.timer_us[i])};
    row.difference_us = median_difference(times.trace_us[i], times.timer_us[i]);
    if (std::isnan(row.timer_us) || (row.trace_us < kNothing && row.timer_us < kNothing)) continue;
    const auto marks = i == kPhaseCount ? 1.0 : marks_per_step(arm, i);
    row.limit_us = std::max(kShare * row.timer_us, kMicrosecondsPerMark * marks);
    comparison.rows.push_back(std::move(row));
  }
}

}  // namespace

bool TimerComparison::agrees() const {
  return only_trace == 0 && only_timers == 0 &&
         std::all_of(rows.begin(), rows.end(), [](const TimerRow& row) { return row.agrees(); });
}

std::string timers_file(const std::string& trace_file) {
  for (const std::string_view ending : {".pt.trace.json.gz", ".pt.trace.json", ".json.gz", ".json", ".nsys-rep", ".sqlite"}) {
    if (trace_file.ends_with(ending)) return trace_file.substr(0, trace_file.size() - ending.size()) + ".steps.csv";
  }
  return trace_file + ".steps.csv";
}

TimerComparison compare_with_timers(const RankSummary& trace, const std::vector<StepRow>& timers) {
  TimerComparison comparison;
  const auto places = placed_rows(timers);
  for (const auto& [name, arm] : trace.arms) {
    BothTimes times;
    int block = 0, last = 0;
    for (const auto& step : arm.each_step) {
      if (step.block != std::exchange(last, step.block)) ++block;
      const auto row = places.find({name, block, step.ordinal});
      if (row == places.end()) continue;
      add_step(times, step, *row->second);
    }
    comparison.matched += times.steps();
    comparison.only_trace += arm.steps - times.steps();
    if (times.steps() > 0) add_rows(comparison, name, arm, times);
  }
  comparison.only_timers = static_cast<std::int64_t>(places.size()) - comparison.matched;
  return comparison;
}

}  // namespace ddpbench
