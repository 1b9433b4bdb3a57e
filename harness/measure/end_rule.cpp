#include "harness/measure/end_rule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/arm_name.hpp"

namespace ddpbench {
namespace {

constexpr char kArmEnd = ';';

void append_with_blank(std::string& word, double value) {
  append_number(word, value);
  word += ' ';
}

// "0.25 0.5 " -> {0.25, 0.5}
std::vector<double> numbers_from(const std::string& word, std::size_t begin, std::size_t end) {
  std::vector<double> numbers;
  while (begin < end) {
    double value = 0;
    const auto parsed = std::from_chars(word.data() + begin, word.data() + end, value);
    if (parsed.ec != std::errc()) throw Error("a peer's report of its super-block cannot be read: '" + word + "'");
    numbers.push_back(value);
    begin = static_cast<std::size_t>(parsed.ptr - word.data()) + 1;
  }
  return numbers;
}

// Step by step the slowest rank's; NaN where a rank has no such step.
double median_of_slowest(const std::vector<SuperBlockReport>& ranks, std::size_t arm) {
  auto slowest = ranks.front().steps_s.at(arm);
  for (const auto& rank : ranks) {
    const auto& steps = rank.steps_s.at(arm);
    if (steps.size() != slowest.size()) return kNotMeasured;
    for (std::size_t i = 0; i < steps.size(); ++i) slowest[i] = std::max(slowest[i], steps[i]);
  }
  return slowest.empty() ? kNotMeasured : median(std::move(slowest));
}

}  // namespace

std::string to_word(const SuperBlockReport& report) {
  std::string word = report.disturbed ? "1" : "0";
  for (const auto& steps : report.steps_s) {
    word += kArmEnd;
    for (const double step_s : steps) append_with_blank(word, step_s);
  }
  return word;
}

SuperBlockReport report_from_word(const std::string& word) {
  SuperBlockReport report;
  report.disturbed = word.starts_with('1');
  for (auto begin = word.find(kArmEnd); begin != std::string::npos;) {
    const auto next = word.find(kArmEnd, begin + 1);
    report.steps_s.push_back(numbers_from(word, begin + 1, std::min(next, word.size())));
    begin = next;
  }
  return report;
}

EndRule::EndRule(const LaunchSpec& spec)
    : spec_(spec), widths_(Margin{spec.protocol.margin_percent, spec.protocol.margin_us}), arms_s_(spec.arms.size()) {}

void EndRule::add(const std::vector<SuperBlockReport>& ranks) {
  ++super_blocks_;
  if (std::any_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank.disturbed; })) ++disturbed_;
  for (std::size_t arm = 0; arm < arms_s_.size(); ++arm) arms_s_[arm].push_back(median_of_slowest(ranks, arm));
  if (WidthStopping::is_due(static_cast<std::size_t>(super_blocks_))) look_at_widths();
}

// Of every arm but the reference and `injected`; an arm that is not timed step by step has none.
void EndRule::look_at_widths() {
  std::vector<std::vector<double>> watched;
  const std::vector<double>* reference = nullptr;
  for (std::size_t arm = 0; arm < arms_s_.size(); ++arm) {
    const auto& name = spec_.arms[arm];
    if (name == kReferenceArm) reference = &arms_s_[arm];
    const bool timed = std::any_of(arms_s_[arm].begin(), arms_s_[arm].end(), [](double s) { return std::isfinite(s); });
    const bool injected = name == kInjectedArm || name == kInjectedOnDeviceArm;
    if (timed && name != kReferenceArm && !injected) watched.push_back(arms_s_[arm]);
  }
  narrow_ = reference != nullptr && widths_.check(*reference, watched).narrow_enough();
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
