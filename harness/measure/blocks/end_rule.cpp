#include "harness/measure/blocks/end_rule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suite/base/median.hpp"
#include "suite/base/not_measured.hpp"

namespace ddpbench {
namespace {

// Takes the fastest or median step; NaN without any.
double centre_of(const std::vector<double>& steps_s, bool fastest_step) {
  if (steps_s.empty()) return kNotMeasured;
  return fastest_step ? *std::min_element(steps_s.begin(), steps_s.end()) : median(steps_s);
}

}  // namespace

EndRule::EndRule(const LaunchSpec& spec, std::vector<ArmFacts> arms)
    : spec_(spec),
      arms_(std::move(arms)),
      widths_(Margin{spec.protocol.margin_percent, spec.protocol.margin_us}),
      arms_s_(spec.arms.size()),
      waits_s_(spec.arms.size()) {}

void EndRule::add(bool disturbed, const std::vector<std::vector<double>>& steps_s) {
  ++super_blocks_;
  if (disturbed) ++disturbed_;
  for (std::size_t arm = 0; arm < arms_s_.size(); ++arm) {
    arms_s_[arm].push_back(centre_of(steps_s.at(arm), spec_.protocol.fastest_step));
    if (const double wait_s = centre_of(steps_s[arm], false); std::isfinite(wait_s)) waits_s_[arm].push_back(wait_s);
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

// Returns the series of the family's subjects and of its A/A arm: no figure rests on the others' intervals. Arms without step times are
// left out.
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
