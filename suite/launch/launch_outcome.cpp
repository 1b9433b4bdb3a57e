#include "suite/launch/launch_outcome.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/processes/output_lines.hpp"

namespace ddpbench {
namespace {

using Outcomes = std::vector<std::optional<Outcome>>;

const Outcome* first_with(const Outcomes& outcomes, const std::string& status) {
  for (const auto& outcome : outcomes) {
    if (outcome && outcome->status == status) return &*outcome;
  }
  return nullptr;
}

bool all_say(const Outcomes& outcomes, const std::vector<std::string>& statuses) {
  return std::all_of(outcomes.begin(), outcomes.end(), [&](const auto& outcome) {
    return outcome && std::find(statuses.begin(), statuses.end(), outcome->status) != statuses.end();
  });
}

std::string why_failed(const LaunchEnd& end, const Outcomes& outcomes) {
  if (const auto broken = why_broken(end); !broken.empty()) return broken;
  if (const auto* failed = first_with(outcomes, status::kFailed)) return failed->reason;
  if (!end.launcher_failure.empty()) return end.launcher_failure;
  const auto silent = std::find(outcomes.begin(), outcomes.end(), std::nullopt) - outcomes.begin();
  return "rank " + std::to_string(silent) + " ended with exit code 0 and left no outcome";
}

std::pair<std::string, std::string> status_and_reason(const LaunchEnd& end, const Outcomes& outcomes) {
  if (const auto* wrong = first_with(outcomes, status::kWrongResult)) return {status::kWrongResult, wrong->reason};
  const bool all_ended_well = end.first_failed < 0 && end.launcher_failure.empty();
  if (all_ended_well && all_say(outcomes, {status::kOk})) return {status::kOk, ""};
  if (end.stopped_by_signal) {
    return {status::kPartial, "stopped by signal " + std::to_string(end.stop_signal) + " (" + ::strsignal(end.stop_signal) + ")"};
  }
  const auto* partial = first_with(outcomes, status::kPartial);
  if (partial != nullptr && !end.hang && all_say(outcomes, {status::kOk, status::kPartial}))
    return {status::kPartial, partial->reason};
  return {status::kFailed, why_failed(end, outcomes)};
}

std::string hosts_of(const Outcomes& outcomes) {
  std::vector<std::string> hosts;
  for (const auto& outcome : outcomes) {
    const bool is_new = outcome && std::find(hosts.begin(), hosts.end(), outcome->host) == hosts.end();
    if (is_new) hosts.push_back(outcome->host);
  }
  return join(hosts, " ");
}

// One value where all ranks say the same, else "rank 0: a, rank 1: b".
std::map<std::string, std::string> texts_of(const Outcomes& outcomes, std::map<std::string, std::string> Outcome::*texts) {
  std::map<std::string, std::vector<std::pair<std::size_t, std::string>>> said;
  for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
    if (!outcomes[rank]) continue;
    for (const auto& [name, value] : outcomes[rank].value().*texts) said[name].emplace_back(rank, value);
  }
  std::map<std::string, std::string> facts;
  for (const auto& [name, values] : said) {
    const auto& first = values.front().second;
    auto& text = facts[name];
    if (std::all_of(values.begin(), values.end(), [&first](const auto& one) { return one.second == first; })) {
      text = first;
      continue;
    }
    for (const auto& [rank, value] : values) text += (text.empty() ? "rank " : ", rank ") + std::to_string(rank) + ": " + value;
  }
  return facts;
}

}  // namespace

LaunchOutcome judge(const LaunchEnd& end, const Outcomes& outcomes) {
  LaunchOutcome ended;
  std::tie(ended.status, ended.reason) = status_and_reason(end, outcomes);
  ended.reason = clean_line(ended.reason);
  ended.host_list = clean_line(hosts_of(outcomes));
  ended.versions = texts_of(outcomes, &Outcome::versions);
  ended.facts = texts_of(outcomes, &Outcome::facts);
  for (const auto& outcome : outcomes) {
    if (outcome) ended.arms.insert(outcome->arms.begin(), outcome->arms.end());
  }
  for (auto& [arm, said] : ended.arms) said.second = clean_line(said.second);
  return ended;
}

}  // namespace ddpbench
