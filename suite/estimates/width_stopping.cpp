#include "suite/estimates/width_stopping.hpp"

#include <algorithm>
#include <cmath>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kPairsBetweenChecks = 20;
constexpr std::size_t kChecksPerLength = 20;
constexpr double kShareOfMargin = 0.25;

double half_width_s(std::span<const double> reference_s, std::span<const double> arm_s) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(reference_s.size(), arm_s.size()); ++i) {
    const double difference = arm_s[i] - reference_s[i];
    if (std::isfinite(difference)) differences.push_back(difference);
  }
  if (differences.size() < WidthStopping::kFewestPairsToStop) return kNotMeasured;
  const auto estimate = hodges_lehmann(differences);
  return 0.5 * (estimate.hi - estimate.lo);
}

}  // namespace

double Margin::seconds(double step_s) const { return std::fmax(percent / 100 * step_s, 1e-6 * us); }

bool WidthCheck::narrow_enough() const {
  const auto narrow = [this](double half_width) { return half_width < wanted_s; };
  return !half_widths_s.empty() && std::all_of(half_widths_s.begin(), half_widths_s.end(), narrow);
}

bool WidthStopping::is_due(std::size_t super_blocks) {
  auto due = kFewestPairsToStop;
  while (due < super_blocks) due += std::max(kPairsBetweenChecks, due / kChecksPerLength);
  return due == super_blocks;
}

WidthCheck WidthStopping::check(std::span<const double> reference_s, std::span<const std::vector<double>> arms_s,
                                double step_s) const {
  WidthCheck found;
  found.wanted_s = kShareOfMargin * margin_.seconds(step_s);
  for (const auto& arm_s : arms_s) found.half_widths_s.push_back(half_width_s(reference_s, arm_s));
  return found;
}

}  // namespace ddpbench
