#include "reports/analysis/findings/setting_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "reports/analysis/findings/step_time_law.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/verdicts/holm_family.hpp"
#include "reports/analysis/verdicts/verdict.hpp"
#include "reports/analysis/words/wording.hpp"
#include "reports/estimates/width_stopping.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/axes.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr const char* kStrategy = "strategy";

// An axis of names is a setting, but for the workload: that and the sizes are the work.
bool is_setting(const StandardAxis& axis) { return axis.entries != nullptr && axis.name != std::string_view("workload"); }

using SettingValues = std::map<std::string, std::string>;

SettingValues setting_values(const PlanRow& axes) {
  SettingValues values;
  for (const auto& axis : standard_axes()) {
    if (is_setting(axis)) values[axis.name] = text_of(axis, axes);
  }
  for (const auto& option : options_of(axes)) {
    const auto equals = option.find('=');
    if (is_length_option(option)) continue;
    if (equals != std::string::npos) values[option.substr(0, equals)] = option.substr(equals + 1);
  }
  return values;
}

std::vector<std::string> length_options(const PlanRow& axes) {
  auto options = options_of(axes);
  std::erase_if(options, [](const auto& option) { return !is_length_option(option); });
  return options;
}

using StepsByRepetition = std::map<std::int64_t, double>;

// What two cells are compared by.
struct CellFacts {
  const Cell* cell;
  SettingValues values;
  std::vector<std::string> length_options;
  std::array<StepsByRepetition, kClockCount> steps_s;  // of the verdict's clocks
};

// All that is not a setting: what a step has to do, and on how many ranks.
bool same_work(const CellFacts& one, const CellFacts& other) {
  const auto& a = one.cell->axes;
  const auto& b = other.cell->axes;
  const auto same = [&](const StandardAxis& axis) { return is_setting(axis) || same_value(axis, a, b); };
  return std::all_of(standard_axes().begin(), standard_axes().end(), same) && one.length_options == other.length_options;
}

// The name of the one setting in which two cells differ; nothing where it is none or several. Another strategy has other options: of
// two strategies those count that both have.
std::optional<std::string> only_difference(const SettingValues& a, const SettingValues& b) {
  const bool one_strategy = a.at(kStrategy) == b.at(kStrategy);
  if (one_strategy && a.size() != b.size()) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    if (other == b.end() && !one_strategy) continue;
    if (other == b.end() || (found && other->second != value)) return std::nullopt;
    if (other->second != value) found = name;
  }
  return found;
}

// Median step of the reference's blocks, seconds, by repetition.
StepsByRepetition steps_by_repetition(const Cell& cell, const std::string& reference, Clock clock) {
  StepsByRepetition steps;
  for (const auto* launch : cell.launches_with({reference})) {
    std::vector<double> blocks;
    for (const double log_s : block_series(*launch->samples.find(reference), clock).of_medians) {
      if (std::isfinite(log_s)) blocks.push_back(std::exp(log_s));
    }
    if (!blocks.empty()) steps[launch->runs.front().repetition] = median(std::move(blocks));
  }
  return steps;
}

CellFacts facts_of(const Cell& cell, const std::string& reference) {
  CellFacts facts{&cell, setting_values(cell.axes), length_options(cell.axes), {}};
  for (const auto& clock : kClocks) {
    if (clock.bears_verdict) facts.steps_s[index_of(clock.clock)] = steps_by_repetition(cell, reference, clock.clock);
  }
  return facts;
}

std::optional<SettingComparison> compared(const StepsByRepetition& steps, const StepsByRepetition& reference_steps) {
  std::vector<double> us, logs, of_reference;
  for (const auto& [repetition, step_s] : steps) {
    const auto other = reference_steps.find(repetition);
    if (other == reference_steps.end()) continue;
    us.push_back(1e6 * (step_s - other->second));
    logs.push_back(std::log(step_s / other->second));
    of_reference.push_back(1e6 * other->second);
  }
  if (us.empty()) return std::nullopt;
  SettingComparison row;
  row.us = t_interval(us);
  row.log_ratio = t_interval(logs);
  row.reference_step_us = median(std::move(of_reference));
  row.p = t_test_p(us);
  return row;
}

void judge_setting(SettingComparison& row, const Settings& settings) {
  const double m =
      1e6 * Margin{settings.protocol.margin_percent, settings.protocol.margin_us}.seconds(1e-6 * row.reference_step_us);
  const auto margin = margin_text(m);
  if (std::isnan(row.p)) {
    row.reason = "one repetition: no interval";
  } else if (row.us.lo >= -m && row.us.hi <= m) {
    row.verdict = verdict::kEquivalent;
    row.reason = "inside " + margin;
  } else if (row.p_holm < kSignificance) {
    row.verdict = row.us.value > 0 ? verdict::kSlower : verdict::kFaster;
    row.reason = "beyond chance among all comparisons on this clock";
  } else {
    row.verdict = verdict::kAmbiguous;
    row.reason = "neither inside " + margin + " nor beyond chance; more repetitions (protocol.launches) would tell";
  }
}

void adjust(std::vector<SettingComparison>& rows, const std::string& clock) {
  std::vector<SettingComparison*> family;
  for (auto& row : rows) {
    if (row.clock == clock) family.push_back(&row);
  }
  adjust_family(family, &SettingComparison::p);
}

// Returns whether there was anything to compare.
bool add_comparisons(const CellFacts& one, const CellFacts& reference, const std::string& setting,
                     std::vector<SettingComparison>& rows) {
  const auto before = rows.size();
  for (const auto& clock : kClocks) {
    const auto i = index_of(clock.clock);
    auto row = compared(one.steps_s[i], reference.steps_s[i]);
    if (!row) continue;
    row->clock = clock.name;
    row->setting = setting;
    row->value = one.values.at(setting);
    row->reference_value = reference.values.at(setting);
    row->cell_id = one.cell->axes.cell_id;
    row->reference_cell_id = reference.cell->axes.cell_id;
    rows.push_back(std::move(*row));
  }
  return rows.size() > before;
}

double number_in(const std::string& text) { return parse_number<double>(text).value_or(kNotMeasured); }

// The place of the value among the axis's; the number of values where it is none of them. 25 and 25.0 are the same.
std::size_t place_of(const std::string& value, const std::vector<std::string>& values) {
  const auto same = [&](const std::string& other) { return other == value || number_in(other) == number_in(value); };
  return static_cast<std::size_t>(std::find_if(values.begin(), values.end(), same) - values.begin());
}

// By the places of their values in the experiment, since the plan's order is random.
void sort_as_listed(std::vector<CellFacts>& cells, const Settings& settings) {
  const auto places = [&](const CellFacts& cell) {
    std::vector<std::size_t> found;
    for (const auto& [axis, values] : settings.axes) {
      const auto value = cell.values.find(axis);
      if (value != cell.values.end()) found.push_back(place_of(value->second, values));
    }
    return found;
  };
  std::vector<std::pair<std::vector<std::size_t>, CellFacts>> keyed;
  for (auto& cell : cells) keyed.emplace_back(places(cell), std::move(cell));
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::move(keyed[i].second);
}

// Compares the cell, once per setting, with the first measured cell (as the experiment lists them) that differs in this setting alone.
void add_cell(std::span<const CellFacts> before, const CellFacts& one, std::vector<SettingComparison>& rows) {
  std::vector<std::string> done;
  for (const auto& reference : before) {
    if (!same_work(one, reference)) continue;
    const auto setting = only_difference(one.values, reference.values);
    if (!setting || std::find(done.begin(), done.end(), *setting) != done.end()) continue;
    if (add_comparisons(one, reference, *setting, rows)) done.push_back(*setting);
  }
}

void add_family(const Study& study, const std::string& reference, std::vector<SettingComparison>& rows) {
  std::vector<CellFacts> cells;
  for (const auto& cell : study.cells) cells.push_back(facts_of(cell, reference));
  sort_as_listed(cells, study.settings);
  for (std::size_t i = 1; i < cells.size(); ++i) add_cell(std::span(cells).first(i), cells[i], rows);
}

}  // namespace

std::vector<SettingComparison> compare_settings(const Study& study) {
  std::vector<SettingComparison> rows;
  const auto references = references_of(study.arms);
  for (const auto& reference : references) {
    const auto before = rows.size();
    add_family(study, reference, rows);
    if (references.size() == 1) continue;
    for (auto i = before; i < rows.size(); ++i) rows[i].setting += " (" + reference + ")";
  }
  for (const auto& clock : kClocks) adjust(rows, clock.name);
  for (auto& row : rows) judge_setting(row, study.settings);
  return rows;
}

}  // namespace ddpbench
