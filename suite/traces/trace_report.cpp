#include "suite/traces/trace_report.hpp"

#include <algorithm>
#include <set>

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

namespace {

// By block -> what the steps of a rank expose in it.
std::map<int, std::int64_t> exposed_by_block(const ArmSum& sum) {
  std::map<int, std::int64_t> exposed;
  for (const auto& step : sum.each_step) exposed[step.block] += step.exposed_ns;
  return exposed;
}

// The rank that comes last to the collectives of a block exposes only what the network takes; the others wait for it, too. As the timers
// have it, by block: what ranks lose and make good between steps is none of it. Of one block one rank waits
// for nobody, by this rule.
void tell_waits(ArmReport& arm) {
  const auto steps = arm.ranks.front().sum->each_step.size();
  const bool are_equal =
      std::all_of(arm.ranks.begin(), arm.ranks.end(), [&](const auto& rank) { return rank.sum->each_step.size() == steps; });
  std::set<int> numbers;
  for (const auto& rank : arm.ranks) {
    if (rank.number) numbers.insert(*rank.number);
  }
  if (arm.ranks.size() < 2 || numbers.size() != arm.ranks.size() || arm.detail == TraceDetail::kRanges || !are_equal) return;
  std::map<int, std::int64_t> least;
  for (const auto& rank : arm.ranks) {
    for (const auto& [block, exposed] : exposed_by_block(*rank.sum)) {
      auto& found = least.try_emplace(block, exposed).first->second;
      found = std::min(found, exposed);
    }
  }
  arm.waited_ns = 0;
  for (auto& rank : arm.ranks) {
    for (const auto& [block, exposed] : exposed_by_block(*rank.sum)) rank.waited_ns += exposed - least[block];
    *arm.waited_ns += rank.waited_ns;
  }
}

}  // namespace

std::vector<ArmReport> arm_reports(const std::vector<RankReport>& ranks) {
  std::vector<ArmReport> arms;
  for (const auto& report : ranks) {
    const auto& summary = report.summary;
    for (const auto& arm : summary.arms) {
      auto at = std::find_if(arms.begin(), arms.end(), [&](const ArmReport& one) {
        return one.launch == summary.launch && one.arm == arm.first && one.detail == summary.detail;
      });
      if (at == arms.end()) at = arms.insert(arms.end(), {summary.launch, arm.first, summary.detail, summary.source, {}, {}, {}});
      add(at->all, arm.second);
      auto& rank = at->ranks.emplace_back(ArmReport::OfRank{summary.rank, &arm.second, {}, summary.rank_number, 0});
      if (!report.timers) continue;
      for (const auto& row : report.timers->rows) {
        if (row.arm == arm.first) rank.timers.push_back(row);
      }
    }
  }
  for (auto& arm : arms) tell_waits(arm);
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
