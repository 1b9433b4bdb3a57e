#include "suite/traces/trace_report.hpp"

#include <algorithm>

namespace ddpbench {

double us_per_step(const ArmSum& sum, std::int64_t nanoseconds) {
  return sum.steps == 0 ? 0 : static_cast<double>(nanoseconds) / static_cast<double>(sum.steps) / 1e3;
}

double step_us(const ArmSum& sum) { return us_per_step(sum, sum.step_ns); }

double share_of(const ArmSum& sum, std::int64_t nanoseconds) {
  return sum.step_ns == 0 ? 0 : static_cast<double>(nanoseconds) / static_cast<double>(sum.step_ns);
}

std::vector<PartOfStep> parts_of_step(const ArmSum& sum, TraceDetail detail) {
  std::vector<PartOfStep> parts;
  for (const auto part : parts_of(detail)) {
    const auto time = sum.partition.parts[index_of(part)];
    parts.push_back({kPartNames[index_of(part)], us_per_step(sum, time), share_of(sum, time)});
  }
  return parts;
}

std::vector<ArmReport> arm_reports(const std::vector<RankReport>& ranks) {
  std::vector<ArmReport> arms;
  for (const auto& report : ranks) {
    const auto& summary = report.summary;
    for (const auto& arm : summary.arms) {
      auto at = std::find_if(arms.begin(), arms.end(), [&](const ArmReport& one) {
        return one.launch == summary.launch && one.arm == arm.first && one.detail == summary.detail;
      });
      if (at == arms.end()) at = arms.insert(arms.end(), {summary.launch, arm.first, summary.detail, summary.source, {}, {}});
      add(at->all, arm.second);
      auto& rank = at->ranks.emplace_back(ArmReport::OfRank{summary.rank, &arm.second, {}});
      if (!report.timers) continue;
      for (const auto& row : report.timers->rows) {
        if (row.arm == arm.first) rank.timers.push_back(row);
      }
    }
  }
  return arms;
}

bool timers_agree(const std::vector<RankReport>& ranks) {
  return std::all_of(ranks.begin(), ranks.end(), [](const RankReport& rank) { return !rank.timers || rank.timers->agrees(); });
}

const ArmReport::OfRank* slowest_rank(const ArmReport& arm) {
  const auto own_us = [](const ArmReport::OfRank& rank) {
    return us_per_step(*rank.sum, rank.sum->step_ns - rank.sum->partition.parts[index_of(TracePart::kExposed)]);
  };
  if (arm.ranks.size() < 2 || arm.detail == TraceDetail::kRanges) return nullptr;
  return &*std::max_element(arm.ranks.begin(), arm.ranks.end(),
                            [&](const auto& a, const auto& b) { return own_us(a) < own_us(b); });
}

std::vector<std::pair<std::string, NamedTime>> longest(const std::map<std::string, NamedTime>& names, std::size_t count) {
  std::vector<std::pair<std::string, NamedTime>> sorted(names.begin(), names.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.time_ns > b.second.time_ns; });
  sorted.resize(std::min(count, sorted.size()));
  return sorted;
}

}  // namespace ddpbench
