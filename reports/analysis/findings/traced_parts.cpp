#include "reports/analysis/findings/traced_parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "reports/analysis/findings/step_parts.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/tables/trace_part.hpp"

namespace ddpbench {
namespace {

constexpr double kNamedShare = 0.05;  // of the step that is waiting for a slower rank

using StepShares = std::array<double, kStepParts>;

// The step of one rank.
struct RankStep {
  double us = 0;
  StepShares shares{};
  std::optional<double> waited_share{};  // nothing: the traces do not tell it
  std::int64_t steps = 0;
};

// What a part of a trace is beside the timers' parts. Waiting is a part of exposed communication: nothing beside the others.
std::optional<StepPart> step_part_of(std::string_view name) {
  const auto is = [&](TracePart part) { return name == kPartNames[index_of(part)]; };
  if (is(TracePart::kOperations)) return StepPart::kCompute;
  if (is(TracePart::kExposed)) return StepPart::kCommunication;
  if (is(TracePart::kData) || is(TracePart::kIdleData)) return StepPart::kData;
  if (is(TracePart::kHost) || is(TracePart::kIdleLaunching) || is(TracePart::kIdleHost)) return StepPart::kHost;
  return std::nullopt;
}

void add_part(RankStep& step, const TracePartRow& row) {
  if (row.part == kWholeStepName) {
    step.us = row.us;
    step.steps = row.steps;
  } else if (row.part == kWaitedName) {
    step.waited_share = row.share;
  } else if (const auto part = step_part_of(row.part)) {
    step.shares[index_of(*part)] += row.share;
  }
}

using RankSteps = std::map<std::int64_t, RankStep>;

// What was recorded of an arm in a cell last.
struct ArmTrace {
  std::string launch_id;
  RankSteps ranks;
  bool has_device = false;  // kernels were recorded
};

void add_part(ArmTrace& trace, const TracePartRow& row) {
  if (row.launch_id != trace.launch_id) trace = {row.launch_id, {}, false};
  trace.has_device = trace.has_device || row.part == kPartNames[index_of(TracePart::kIdleLaunching)];
  add_part(trace.ranks[row.rank], row);
}

// Moves what is known to be waiting for a slower rank out of exposed communication. Of some ranks alone it is not: the slow one may
// be another.
bool tell_waits(RankSteps& ranks, std::int64_t world_size) {
  if (world_size == 1) return true;
  const bool are_all =
      static_cast<std::int64_t>(ranks.size()) == world_size &&
      std::all_of(ranks.begin(), ranks.end(), [](const auto& one) { return one.second.waited_share.has_value(); });
  for (auto& [number, rank] : ranks) {
    if (!are_all) continue;
    rank.shares[index_of(StepPart::kCommunication)] -= *rank.waited_share;
    rank.shares[index_of(StepPart::kSkew)] = *rank.waited_share;
  }
  return are_all;
}

std::size_t bottleneck_of(const StepShares& shares) {
  constexpr auto kCompute = index_of(StepPart::kCompute);
  if (shares[kCompute] > kMostlyCompute) return kCompute;
  return static_cast<std::size_t>(std::max_element(shares.begin() + kCompute + 1, shares.end()) - shares.begin());
}

// The rank that the others wait for: it waits itself for less than half as long as the mean. Over few steps one always does, by
// chance: named where the waiting is worth it.
std::string slowest_rank(const RankSteps& ranks, double share) {
  const auto waits = [](const auto& rank) { return rank.second.us * rank.second.shares[index_of(StepPart::kSkew)]; };
  const auto least =
      std::min_element(ranks.begin(), ranks.end(), [&](const auto& a, const auto& b) { return waits(a) < waits(b); });
  double sum_us = 0;
  for (const auto& rank : ranks) sum_us += waits(rank);
  const bool is_named = share >= kNamedShare && waits(*least) < 0.5 * sum_us / static_cast<double>(ranks.size());
  return is_named ? std::to_string(least->first) : "";
}

// The rows of one arm but for its cell and name.
std::vector<TracedPartRow> rows_of(const ArmTrace& trace, bool tells_waits) {
  const auto& ranks = trace.ranks;
  double step_us = 0;
  StepShares shares{};
  for (const auto& [number, rank] : ranks) {
    step_us += rank.us;
    for (std::size_t i = 0; i < kStepParts; ++i) shares[i] += rank.us * rank.shares[i];
  }
  for (auto& share : shares) share /= step_us;
  const auto bottleneck = bottleneck_of(shares);
  std::vector<TracedPartRow> rows;
  for (std::size_t i = 0; i < kStepParts; ++i) {
    if (i == index_of(StepPart::kSkew) && (!tells_waits || ranks.size() < 2)) continue;
    if (i == index_of(StepPart::kCommunication) && ranks.size() < 2 && !(shares[i] > 0)) continue;
    TracedPartRow row;
    row.part = kStepPartNames[i];
    row.step_ms = 1e-3 * step_us / static_cast<double>(ranks.size());
    row.ms = row.step_ms * shares[i];
    row.share = row.least_share = row.most_share = shares[i];
    for (const auto& [number, rank] : ranks) {
      row.least_share = std::min(row.least_share, rank.shares[i]);
      row.most_share = std::max(row.most_share, rank.shares[i]);
    }
    row.is_bottleneck = i == bottleneck;
    if (i == index_of(StepPart::kSkew)) row.slowest_rank = slowest_rank(ranks, row.share);
    row.tells_waits = tells_waits;
    row.has_device = trace.has_device;
    row.ranks = static_cast<std::int64_t>(ranks.size());
    row.steps = ranks.begin()->second.steps;
    rows.push_back(std::move(row));
  }
  return rows;
}

const std::array kTracedPartColumns{
    Column<TracedPartRow>{"cell_id", &TracedPartRow::cell_id, "one combination of every axis except arm"},
    Column<TracedPartRow>{"arm", &TracedPartRow::arm, "who drives the step"},
    Column<TracedPartRow>{
        "part", &TracedPartRow::part,
        "compute: in operations or kernels; exposed communication: less waiting for a slower rank, where that is "
        "known; data; host: what it does between operations, wherever in the step"},
    Column<TracedPartRow>{"ms", &TracedPartRow::ms, "mean over the ranks that recorded; the parts add up to step_ms", "ms"},
    Column<TracedPartRow>{"share", &TracedPartRow::share, "of step_ms, from 0 to 1"},
    Column<TracedPartRow>{"least_share", &TracedPartRow::least_share, "of the rank that has least of it"},
    Column<TracedPartRow>{"most_share", &TracedPartRow::most_share, "of the rank that has most of it"},
    Column<TracedPartRow>{"step_ms", &TracedPartRow::step_ms, "mean step while it was recorded; recording takes time", "ms"},
    Column<TracedPartRow>{"is_bottleneck", &TracedPartRow::is_bottleneck,
                          "1: compute where it is more than 80 %, else the largest other part"},
    Column<TracedPartRow>{
        "slowest_rank", &TracedPartRow::slowest_rank,
        "of waiting for a slower rank that is 5 % of the step: the rank that waits for less than half of the mean"},
    Column<TracedPartRow>{"ranks", &TracedPartRow::ranks, "that recorded"},
    Column<TracedPartRow>{"steps", &TracedPartRow::steps, "of each rank"},
};

}  // namespace

template <>
std::span<const Column<TracedPartRow>> columns<TracedPartRow>() {
  return kTracedPartColumns;
}

template <>
std::vector<TracedPartRow> make_finding(const Findings& findings) {
  std::map<std::pair<std::string, std::string>, ArmTrace> found;
  for (const auto& row : findings.study.trace_parts) add_part(found[{row.cell_id, row.arm}], row);
  std::vector<TracedPartRow> rows;
  for (auto& [key, trace] : found) {
    std::erase_if(trace.ranks, [](const auto& rank) { return !(rank.second.us > 0); });
    const auto* cell = findings.study.find_cell(key.first);
    if (trace.ranks.empty() || cell == nullptr) continue;
    const bool tells_waits = tell_waits(trace.ranks, cell->world_size());
    for (auto& row : rows_of(trace, tells_waits)) {
      row.cell_id = key.first;
      row.arm = key.second;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

ReportTable traced_parts_table() {
  return report_table<TracedPartRow>("tables/traced_parts.csv",
                                     "one part of one arm's step in one cell, by the traces of its ranks",
                                     [](const Findings& findings, auto& table) {
                                       for (const auto& row : findings.rows<TracedPartRow>()) table.add(row);
                                     });
}

}  // namespace ddpbench
