#include "reports/analysis/findings/carry_over.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/verdicts/row_words.hpp"
#include "reports/analysis/words/wording.hpp"
#include "reports/estimates/holm.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// The arm's paired differences of one launch or of all, by what ran before.
using ByPrevious = std::map<std::string, std::vector<double>>;

struct ArmPair {
  std::string arm, reference;
};

// Block number -> arm; "" where no arm's block has that number.
std::vector<std::string> arms_in_order(const LaunchSamples& samples) {
  std::int64_t blocks = 0;
  for (const auto& arm : samples.arms) {
    for (const auto number : arm.block_numbers) blocks = std::max(blocks, number);
  }
  std::vector<std::string> order(static_cast<std::size_t>(blocks) + 1);
  for (const auto& arm : samples.arms) {
    for (const auto number : arm.block_numbers) {
      if (number > 0) order[static_cast<std::size_t>(number)] = arm.arm;
    }
  }
  return order;
}

// Block numbers go up to about the number of blocks: an absurd one must not make us allocate that many.
bool knows_its_order(const LaunchSamples& samples) {
  std::size_t blocks = 0;
  for (const auto& arm : samples.arms) blocks += arm.block_numbers.size();
  const auto sane = [&](const ArmSamples& arm) {
    return std::all_of(arm.block_numbers.begin(), arm.block_numbers.end(),
                       [&](std::int64_t number) { return number >= 0 && number <= 2 * static_cast<std::int64_t>(blocks); });
  };
  return std::all_of(samples.arms.begin(), samples.arms.end(), sane);
}

void add_launch(const LaunchSamples& samples, const ArmPair& arms, Clock clock, ByPrevious& all) {
  if (!knows_its_order(samples)) return;
  const auto order = arms_in_order(samples);
  const auto& of_arm = *samples.find(arms.arm);
  const auto a = block_series(of_arm, clock).of_medians;
  const auto& reference = *samples.find(arms.reference);
  const auto b = beside(block_series(reference, clock).of_medians, reference, of_arm);
  ByPrevious mine;
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min({a.size(), b.size(), of_arm.block_numbers.size()}); ++i) {
    const auto number = static_cast<std::size_t>(of_arm.block_numbers[i]);
    const double us = 1e6 * (std::exp(a[i]) - std::exp(b[i]));
    if (number < 2 || order[number - 1].empty() || !std::isfinite(us)) continue;
    mine[order[number - 1]].push_back(us);
    differences.push_back(us);
  }
  const double middle = median(std::move(differences));
  for (auto& [previous, values] : mine) {
    for (const double us : values) all[previous].push_back(us - middle);
  }
}

std::vector<double> all_but(const ByPrevious& groups, const std::string& previous) {
  std::vector<double> rest;
  for (const auto& [other, values] : groups) {
    if (other != previous) rest.insert(rest.end(), values.begin(), values.end());
  }
  return rest;
}

void add_rows(const Cell& cell, const std::string& arm, Clock clock, std::vector<CarryOverRow>& rows) {
  ByPrevious groups;
  const ArmPair arms{arm, cell.family_of(arm).reference};
  for (const auto* launch : cell.launches_with({arms.arm, arms.reference})) add_launch(launch->samples, arms, clock, groups);
  for (const auto& [previous, values] : groups) {
    auto rest = all_but(groups, previous);
    CarryOverRow row{cell.axes.cell_id, arm, previous, entry_of(clock).name, {}, static_cast<std::int64_t>(rest.size())};
    row.effect = difference_of_trimmed_means(values, std::move(rest), cell.settings.confidence);
    if (std::isfinite(row.effect.difference.value)) rows.push_back(std::move(row));
  }
}

void adjust(std::vector<CarryOverRow>& rows, double confidence) {
  std::vector<double> p;
  for (const auto& row : rows) p.push_back(row.effect.p);
  const auto adjusted = holm_adjusted(p);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].p_holm = adjusted[i];
    rows[i].stands_out = adjusted[i] < 1 - confidence;
  }
}

std::string effect_words(const Study& study, const CarryOverRow& row) {
  const auto& effect = row.effect.difference;
  return row.arm + " on " + study.label_of(row.cell_id) + " differs by " + signed_text(effect.value) + " us " +
         us_interval_text(effect.lo, effect.hi) + " of " + clock_words(row.clock) + " when " + row.previous +
         " ran before it (p = " + number_text(row.p_holm, 2) + " after Holm)";
}

// Of one cell on the primary clock: the bound that is farthest from 0.
std::map<std::string, double> widest_bounds(const std::vector<CarryOverRow>& rows, const std::string& clock) {
  std::map<std::string, double> widest;
  for (const auto& row : rows) {
    if (row.clock != clock) continue;
    auto& us = widest[row.cell_id];
    us = std::max({us, std::fabs(row.effect.difference.lo), std::fabs(row.effect.difference.hi)});
  }
  return widest;
}

}  // namespace

std::vector<CarryOverRow> carry_over_rows(const Study& study) {
  std::vector<CarryOverRow> rows;
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      if (study.facts_of(arm).is_reference()) continue;
      for (const auto clock : {study.primary_clock, Clock::kWall}) add_rows(cell, arm, clock, rows);
    }
  }
  adjust(rows, study.settings.confidence);
  return rows;
}

std::string carry_over_words(const Study& study, const std::vector<CarryOverRow>& rows) {
  constexpr std::size_t kMostWords = 3;
  std::string text;
  std::size_t found = 0;
  for (const auto& row : rows) {
    if (row.stands_out && ++found <= kMostWords) text += (text.empty() ? "" : "; ") + effect_words(study, row);
  }
  if (found > kMostWords) text += "; and " + std::to_string(found - kMostWords) + " more in tables/carry_over.csv";
  if (found > 0) return "carry-over: " + text;
  const std::string clock = entry_of(study.primary_clock).name;
  const auto widest = widest_bounds(rows, clock);
  if (widest.empty()) return "";
  const auto by_us = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [least, most] = std::minmax_element(widest.begin(), widest.end(), by_us);
  const auto references = references_of(study.arms);
  const auto to_what = references.size() == 1 ? references.front() : "its reference";
  text = "no carry-over beyond " + margin_text(least->second) + " of " + clock_words(clock) + " (" +
         study.label_of(least->first) + ")";
  if (least != most) text += " to " + margin_text(most->second) + " (" + study.label_of(most->first) + ")";
  return text + ": what ran before an arm changes none of its differences to " + to_what + " (Holm over " +
         std::to_string(rows.size()) + ")";
}

}  // namespace ddpbench
