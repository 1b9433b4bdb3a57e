#include "harness/measure/end_rule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

constexpr char kArmEnd = ';';

void append_with_blank(std::string& payload, double value) {
  append_number(payload, value);
  payload += ' ';
}

// "0.25 0.5 " -> {0.25, 0.5}
std::vector<double> numbers_from(const std::string& payload, std::size_t begin, std::size_t end) {
  std::vector<double> numbers;
  while (begin < end) {
    double value = 0;
    const auto parsed = std::from_chars(payload.data() + begin, payload.data() + end, value);
    if (parsed.ec != std::errc()) throw Error("a peer's report of its super-block cannot be read: '" + payload + "'");
    numbers.push_back(value);
    begin = static_cast<std::size_t>(parsed.ptr - payload.data()) + 1;
  }
  return numbers;
}

// Of a block's steps; NaN where there is none.
double centre_of(const std::vector<double>& steps_s, bool fastest_step) {
  if (steps_s.empty()) return kNotMeasured;
  return fastest_step ? *std::min_element(steps_s.begin(), steps_s.end()) : median(steps_s);
}

// NaN where a rank has no steps.
double mean_of_ranks(const std::vector<SuperBlockReport>& ranks, std::size_t arm, bool fastest_step) {
  double sum = 0;
  for (const auto& rank : ranks) sum += centre_of(rank.steps_s.at(arm), fastest_step);
  return sum / static_cast<double>(ranks.size());
}

// NaN where no rank has one.
double longest_wait(const std::vector<SuperBlockReport>& ranks, std::size_t arm) {
  double longest = kNotMeasured;
  for (const auto& rank : ranks) longest = std::fmax(longest, rank.waits_s.at(arm));
  return longest;
}

// Step by step the slowest rank's; NaN where a rank has no such step.
double centre_of_slowest(const std::vector<SuperBlockReport>& ranks, std::size_t arm, bool fastest_step) {
  auto slowest = ranks.front().steps_s.at(arm);
  for (const auto& rank : ranks) {
    const auto& steps = rank.steps_s.at(arm);
    if (steps.size() != slowest.size()) return kNotMeasured;
    for (std::size_t i = 0; i < steps.size(); ++i) slowest[i] = std::max(slowest[i], steps[i]);
  }
  return centre_of(slowest, fastest_step);
}

}  // namespace

std::string to_payload(const SuperBlockReport& report) {
  std::string payload = report.disturbed ? "1" : "0";
  for (std::size_t arm = 0; arm < report.steps_s.size(); ++arm) {
    payload += kArmEnd;
    append_with_blank(payload, report.waits_s.at(arm));
    for (const double step_s : report.steps_s[arm]) append_with_blank(payload, step_s);
  }
  return payload;
}

SuperBlockReport report_from_payload(const std::string& payload) {
  SuperBlockReport report;
  report.disturbed = payload.starts_with('1');
  for (auto begin = payload.find(kArmEnd); begin != std::string::npos;) {
    const auto next = payload.find(kArmEnd, begin + 1);
    auto numbers = numbers_from(payload, begin + 1, std::min(next, payload.size()));
    if (numbers.empty()) throw Error("a peer's report of its super-block lacks an arm's wait: '" + payload + "'");
    report.waits_s.push_back(numbers.front());
    report.steps_s.emplace_back(numbers.begin() + 1, numbers.end());
    begin = next;
  }
  return report;
}

EndRule::EndRule(const LaunchSpec& spec, std::vector<ArmFacts> arms, OverRanks over_ranks)
    : spec_(spec),
      arms_(std::move(arms)),
      widths_(Margin{spec.protocol.margin_percent, spec.protocol.margin_us}),
      over_ranks_(over_ranks),
      arms_s_(spec.arms.size()),
      waits_s_(spec.arms.size()) {}

void EndRule::add(const std::vector<SuperBlockReport>& ranks) {
  ++super_blocks_;
  if (std::any_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank.disturbed; })) ++disturbed_;
  const bool fastest = spec_.protocol.fastest_step;
  for (std::size_t arm = 0; arm < arms_s_.size(); ++arm) {
    arms_s_[arm].push_back(over_ranks_ == OverRanks::kMean ? mean_of_ranks(ranks, arm, fastest)
                                                           : centre_of_slowest(ranks, arm, fastest));
    if (const double wait_s = longest_wait(ranks, arm); std::isfinite(wait_s)) waits_s_[arm].push_back(wait_s);
  }
  if (WidthStopping::is_due(static_cast<std::size_t>(super_blocks_))) look_at_widths();
}

// Every family is narrow that has something to be compared.
void EndRule::look_at_widths() {
  std::size_t wide = 0;
  std::size_t narrow = 0;
  for (std::size_t arm = 0; arm < arms_s_.size(); ++arm) {
    if (!arms_[arm].is_reference()) continue;
    const auto watched = watched_of(arms_[arm].name);
    if (watched.empty()) continue;
    ++(widths_.check(arms_s_[arm], watched, median(waits_s_[arm])).narrow_enough() ? narrow : wide);
  }
  narrow_ = narrow > 0 && wide == 0;
}

// Of the family's subjects and of its A/A arm: no figure rests on how narrow a probe's or another control's interval is. An arm that is not
// timed step by step has none.
std::vector<std::vector<double>> EndRule::watched_of(const std::string& reference) const {
  std::vector<std::vector<double>> watched;
  for (std::size_t arm = 0; arm < arms_s_.size(); ++arm) {
    const auto& facts = arms_[arm];
    const bool timed = std::any_of(arms_s_[arm].begin(), arms_s_[arm].end(), [](double s) { return std::isfinite(s); });
    const bool is_watched = (facts.is_subject() || facts.role == ArmRole::kAaControl) && facts.reference == reference;
    if (timed && is_watched) watched.push_back(arms_s_[arm]);
  }
  return watched;
}

bool EndRule::enough() const {
  return super_blocks_ - disturbed_ >= spec_.protocol.min_super_blocks || super_blocks_ >= 2 * spec_.protocol.min_super_blocks;
}

End EndRule::end(double elapsed_s) const {
  if (spec_.protocol.max_super_blocks > 0 && super_blocks_ >= spec_.protocol.max_super_blocks) return End::kFull;
  if (!enough()) return End::kNotYet;
  if (elapsed_s >= spec_.protocol.max_seconds_per_launch) return End::kLate;
  return narrow_ ? End::kNarrow : End::kNotYet;
}

}  // namespace ddpbench
