#include "reports/analysis/findings/carry_over.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/comparisons/trimmed_means.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/estimates/holm.hpp"

namespace ddpbench {
namespace {

// Paired differences of one launch or of all, by what ran before the block of one side.
using ByPrevious = std::map<std::string, std::vector<double>>;
using BySide = std::map<std::string, ByPrevious>;  // the arm, the reference

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

void add_launch(const LaunchSamples& samples, const std::string& arm, const std::string& reference, Clock clock, BySide& all) {
  if (!knows_its_order(samples)) return;
  const auto order = arms_in_order(samples);
  const auto pairs = pair_series(samples, arm, reference, clock);
  const double middle_s = median(pairs.of_medians_s);
  const auto add = [&](const std::string& side, std::int64_t block, double us) {
    if (block < 2) return;
    const auto& previous = order[static_cast<std::size_t>(block) - 1];
    if (!previous.empty()) all[side][previous].push_back(us);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double us = 1e6 * (pairs.of_medians_s[i] - middle_s);
    add(arm, pairs.arm_blocks[i], us);
    add(reference, pairs.reference_blocks[i], us);
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
  BySide sides;
  const auto& reference = cell.family_of(arm).reference;
  for (const auto* launch : cell.launches_with({arm, reference})) add_launch(launch->samples, arm, reference, clock, sides);
  for (const auto& before : {arm, reference}) {
    const auto& groups = sides[before];
    for (const auto& [previous, values] : groups) {
      auto rest = all_but(groups, previous);
      const auto others = static_cast<std::int64_t>(rest.size());
      const auto effect = difference_of_trimmed_means(values, std::move(rest), cell.settings.confidence);
      const auto super_blocks = static_cast<std::int64_t>(effect.difference.n);
      if (!std::isfinite(effect.difference.value)) continue;
      rows.push_back(
          {cell.axes.cell_id, arm, before, previous, entry_of(clock).name, effect.difference, super_blocks, others, effect.p});
    }
  }
}

void adjust(std::vector<CarryOverRow>& rows, double confidence) {
  std::vector<double> p;
  for (const auto& row : rows) p.push_back(row.p);
  const auto adjusted = holm_adjusted(p);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].p_holm = adjusted[i];
    rows[i].stands_out = adjusted[i] < 1 - confidence;
  }
}

std::string effect_phrase(const Study& study, const CarryOverRow& row) {
  const auto& effect = row.effect_us;
  return row.arm + " on " + study.label_of(row.cell_id) + " differs by " + signed_text(effect.value) + " us " +
         us_interval_text(effect.lo, effect.hi) + " of " + clock_phrase(row.clock) + " when " + row.previous + " ran before " +
         (row.before == row.arm ? "it" : row.before) + " (p " + p_text(row.p_holm) + " after Holm)";
}

// Those that stand out. An arm that disturbs what runs behind it makes every other group of `previous` stand out a little the other way.
std::vector<const CarryOverRow*> largest_first(const std::vector<CarryOverRow>& rows) {
  std::vector<const CarryOverRow*> found;
  for (const auto& row : rows) {
    if (row.stands_out) found.push_back(&row);
  }
  const auto size = [](const CarryOverRow* row) { return std::fabs(row->effect_us.value); };
  std::stable_sort(found.begin(), found.end(), [&](const auto* a, const auto* b) { return size(a) > size(b); });
  return found;
}

// Of one cell on the primary clock: the bound that is farthest from 0.
std::map<std::string, double> widest_bounds(const std::vector<CarryOverRow>& rows, const std::string& clock) {
  std::map<std::string, double> widest;
  for (const auto& row : rows) {
    if (row.clock != clock) continue;
    auto& us = widest[row.cell_id];
    us = std::max({us, std::fabs(row.effect_us.lo), std::fabs(row.effect_us.hi)});
  }
  return widest;
}

}  // namespace

std::vector<CarryOverRow> carry_over_rows(const Study& study) {
  std::vector<CarryOverRow> rows;
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      if (study.facts_of(arm).is_reference()) continue;
      add_rows(cell, arm, study.primary_clock, rows);
      if (study.primary_clock != Clock::kWall) add_rows(cell, arm, Clock::kWall, rows);
    }
  }
  adjust(rows, study.settings.confidence);
  return rows;
}

std::string carry_over_phrase(const Study& study, const std::vector<CarryOverRow>& rows) {
  constexpr std::size_t kMostWords = 3;
  const auto found = largest_first(rows);
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kMostWords); ++i)
    text += (i == 0 ? "" : "; ") + effect_phrase(study, *found[i]);
  if (found.size() > kMostWords) text += "; and " + std::to_string(found.size() - kMostWords) + " more in tables/carry_over.csv";
  if (!found.empty()) return "carry-over: " + text;
  const std::string clock = entry_of(study.primary_clock).name;
  const auto widest = widest_bounds(rows, clock);
  if (widest.empty()) return "";
  const auto by_us = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [least, most] = std::minmax_element(widest.begin(), widest.end(), by_us);
  const auto references = references_of(study.arms);
  const auto to_what = references.size() == 1 ? references.front() : "its reference";
  text = "no carry-over beyond " + margin_text(least->second) + " of " + clock_phrase(clock) + " (" +
         study.label_of(least->first) + ")";
  if (least != most) text += " to " + margin_text(most->second) + " (" + study.label_of(most->first) + ")";
  return text + ": what ran before an arm changes none of its differences to " + to_what + " (Holm over " +
         std::to_string(rows.size()) + ")";
}

namespace {

using Effect = CarryOverRow;
const std::array kCarryOverColumns{
    Column<Effect>{"cell_id", &Effect::cell_id, "one combination of every axis except arm"},
    Column<Effect>{"clock", &Effect::clock, "the primary clock, and wall"},
    Column<Effect>{"arm", &Effect::arm, "whose paired difference to the reference is looked at"},
    Column<Effect>{"before", &Effect::before, "the arm or its reference: before whose block"},
    Column<Effect>{"previous", &Effect::previous, "the arm whose block ran there"},
    Column<Effect>{"effect_us", &Effect::effect_us,
                   "difference after `previous` less that after any other arm, of 20 % trimmed means, per step", "us",
                   "95 % bound (t)"},
    Column<Effect>{"super_blocks", &Effect::super_blocks, "in which `previous` ran before"},
    Column<Effect>{"others", &Effect::others, "super-blocks in which another arm did"},
    Column<Effect>{"p", &Effect::p, "two-sided, of no difference (Yuen)"},
    Column<Effect>{"p_holm", &Effect::p_holm, "the same, adjusted by Holm for all rows"},
    Column<Effect>{"stands_out", &Effect::stands_out, "1: p_holm is below 1 - confidence"},
};

}  // namespace

template <>
std::span<const Column<CarryOverRow>> columns<CarryOverRow>() {
  return kCarryOverColumns;
}

template <>
std::vector<CarryOverRow> make_finding(const Findings& findings) {
  return carry_over_rows(findings.study);
}

ReportTable carry_over_table() {
  return report_table<CarryOverRow>("tables/carry_over.csv", "one arm after one other in one cell on one clock",
                                    [](const Findings& findings, auto& table) {
                                      for (const auto& row : findings.rows<CarryOverRow>()) table.add(row);
                                    });
}

}  // namespace ddpbench
