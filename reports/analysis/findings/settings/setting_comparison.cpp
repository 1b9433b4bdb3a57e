#include "reports/analysis/findings/settings/setting_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "reports/analysis/findings/settings/setting_facts.hpp"
#include "reports/analysis/findings/settings/setting_partners.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "reports/analysis/verdicts/holm_family.hpp"
#include "reports/analysis/verdicts/verdict.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/status.hpp"
#include "suite/estimates/quantity.hpp"
#include "suite/estimates/student_t.hpp"
#include "suite/estimates/width_stopping.hpp"

namespace ddpbench {
namespace {

double percent(double log_ratio) { return 100 * std::expm1(log_ratio); }

std::optional<SettingComparison> compared(const StepsByRepetition& steps, const StepsByRepetition& reference_steps,
                                          const Settings& settings) {
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
  row.difference_us = row.difference_us_together = t_interval(us, settings.confidence);
  row.difference_percent = mapped(t_interval(logs, settings.confidence), percent);
  row.repetitions = static_cast<std::int64_t>(row.difference_us.n);
  row.reference_step_us = median(std::move(of_reference));
  row.p = t_test_p(us);
  const Margin margin{settings.protocol.margin_percent, settings.protocol.margin_us};
  row.margin_us = 1e6 * margin.seconds(1e-6 * row.reference_step_us);
  const Quantity repetitions(Location::kMean, {us}, {}, settings.confidence);
  row.p_equivalent_holm = std::fmax(repetitions.p_above(-row.margin_us), repetitions.p_below(row.margin_us));  // adjusted later
  return row;
}

// As an arm's cost is judged (verdict.cpp), by what there is: the repetitions' mean.
void judge_setting(SettingComparison& row, double significance) {
  const double m = row.margin_us;
  const auto margin = margin_text(m);
  if (std::isnan(row.p)) {
    row.reason = "one repetition: no interval";
  } else if (row.difference_us.lo >= -m && row.difference_us.hi <= m && row.p_equivalent_holm < significance / 2) {
    row.verdict = verdict::kEquivalent;
    row.reason = "inside " + margin;
  } else if (row.p_holm < significance) {
    row.verdict = row.difference_us.value > 0 ? verdict::kSlower : verdict::kFaster;
    row.reason = "beyond chance among all comparisons on this clock";
  } else {
    row.verdict = verdict::kAmbiguous;
    const auto share = [&](double us) { return signed_text(100 * us / row.reference_step_us) + " %"; };
    row.reason = "between " + share(row.difference_us.lo) + " and " + share(row.difference_us.hi) +
                 " of the step: neither inside " + margin + " nor beyond chance; more repetitions (protocol.launches) would tell";
  }
}

// Student's intervals of n values, so many times as wide.
void hold_together(std::vector<SettingComparison>& rows, double confidence) {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  for (const auto& row : rows) ++counts[{row.setting, row.clock}];
  for (auto& row : rows) {
    const auto degrees = static_cast<int>(row.difference_us.n) - 1;
    const double wider = two_sided_t_quantile(bonferroni_confidence(confidence, counts.at({row.setting, row.clock})), degrees) /
                         two_sided_t_quantile(confidence, degrees);
    row.difference_us_together.lo = row.difference_us.value - wider * (row.difference_us.value - row.difference_us.lo);
    row.difference_us_together.hi = row.difference_us.value + wider * (row.difference_us.hi - row.difference_us.value);
  }
}

void adjust(std::vector<SettingComparison>& rows, const std::string& clock) {
  std::vector<SettingComparison*> family;
  for (auto& row : rows) {
    if (row.clock == clock) family.push_back(&row);
  }
  adjust_family(family, &SettingComparison::p, &SettingComparison::p_holm);
  adjust_family(family, &SettingComparison::p_equivalent_holm, &SettingComparison::p_equivalent_holm);
  count_family(family, &SettingComparison::p, &SettingComparison::comparisons);
}

void add_comparisons(const CellFacts& one, const CellFacts& reference, const std::string& setting, const Settings& settings,
                     std::vector<SettingComparison>& rows) {
  for (const auto& clock : kClocks) {
    const auto i = index_of(clock.clock);
    auto row = compared(one.steps_s[i], reference.steps_s[i], settings);
    if (!row) continue;
    row->clock = clock.name;
    row->setting = setting;
    row->value = one.values.at(setting);
    row->reference_value = reference.values.at(setting);
    row->cell_id = one.cell->axes.cell_id;
    row->reference_cell_id = reference.cell->axes.cell_id;
    rows.push_back(std::move(*row));
  }
}

bool share_a_repetition(const CellFacts& one, const CellFacts& other) {
  for (std::size_t clock = 0; clock < kClockCount; ++clock) {
    for (const auto& [repetition, step_s] : one.steps_s[clock]) {
      if (other.steps_s[clock].contains(repetition)) return true;
    }
  }
  return false;
}

double number_in(const std::string& text) { return parse_number<double>(text).value_or(kNotMeasured); }

// The places of an axis's values, as the experiment lists them.
class ListedValues {
 public:
  explicit ListedValues(const std::vector<std::string>& values) : count_(values.size()) {
    for (std::size_t place = 0; place < values.size(); ++place) {
      texts_.emplace(values[place], place);
      const double number = number_in(values[place]);
      if (!std::isnan(number)) numbers_.emplace(number, place);
    }
  }
  // The number of values where it is none of them. 25 and 25.0 are the same.
  std::size_t place_of(const std::string& value) const {
    const auto text = texts_.find(value);
    const auto number = numbers_.find(number_in(value));
    return std::min(text == texts_.end() ? count_ : text->second, number == numbers_.end() ? count_ : number->second);
  }

 private:
  std::size_t count_;
  std::map<std::string, std::size_t> texts_;
  std::map<double, std::size_t> numbers_;
};

// By the places of their values in the experiment, since the plan's order is random.
void sort_as_listed(std::vector<CellFacts>& cells, const Settings& settings) {
  std::map<std::string, ListedValues> axes;
  for (const auto& [axis, values] : settings.axes) axes.emplace(axis, values);
  const auto places = [&](const CellFacts& cell) {
    std::vector<std::size_t> found;
    for (const auto& [axis, values] : axes) {
      const auto value = cell.values.find(axis);
      if (value != cell.values.end()) found.push_back(values.place_of(value->second));
    }
    return found;
  };
  std::vector<std::pair<std::vector<std::size_t>, CellFacts>> keyed;
  for (auto& cell : cells) keyed.emplace_back(places(cell), std::move(cell));
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::move(keyed[i].second);
}

// Compares the cell, once per setting, with the first measured cell (as the experiment lists them) that differs in this setting alone.
void add_cell(SettingPartners& partners, std::span<const CellFacts> cells, std::size_t place, const Settings& settings,
              std::vector<SettingComparison>& rows) {
  std::vector<std::pair<std::size_t, std::string>> found;
  const auto is_comparable = [&](std::size_t other) { return share_a_repetition(cells[place], cells[other]); };
  for (const auto& setting : partners.settings()) {
    const auto partner = partners.first_before(place, setting, is_comparable);
    if (partner) found.emplace_back(*partner, setting);
  }
  std::sort(found.begin(), found.end());
  for (const auto& [partner, setting] : found) add_comparisons(cells[place], cells[partner], setting, settings, rows);
}

bool is_measured(const CellFacts& cell) {
  return std::any_of(cell.steps_s.begin(), cell.steps_s.end(), [](const auto& steps) { return !steps.empty(); });
}

void add_family(const Study& study, const std::string& reference, std::vector<SettingComparison>& rows) {
  std::vector<CellFacts> cells;
  for (const auto& cell : study.cells) {
    auto facts = facts_of(cell, reference);
    if (is_measured(facts)) cells.push_back(std::move(facts));
  }
  sort_as_listed(cells, study.settings);
  SettingPartners partners(cells);
  for (std::size_t place = 1; place < cells.size(); ++place) add_cell(partners, cells, place, study.settings, rows);
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
  hold_together(rows, study.settings.confidence);
  for (const auto& clock : kClocks) adjust(rows, clock.name);
  for (auto& row : rows) judge_setting(row, study.settings.significance());
  return rows;
}

namespace {

using Compared = SettingComparison;
const std::array kSettingColumns{
    Column<Compared>{"setting", &Compared::setting, "an axis or an option; the two cells differ in nothing else"},
    Column<Compared>{"value", &Compared::value, "of the cell that is compared"},
    Column<Compared>{"reference_value", &Compared::reference_value, "the one that the experiment lists first"},
    Column<Compared>{"cell_id", &Compared::cell_id, "the cell that is compared"},
    Column<Compared>{"reference_cell_id", &Compared::reference_cell_id, "with this cell"},
    Column<Compared>{"clock", &Compared::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<Compared>{"difference_us", &Compared::difference_us,
                     "of the reference arm's step: mean over repetitions of the difference of the launches' medians", "us",
                     "95 % bound (t)"},
    Column<Compared>{"difference_percent", &Compared::difference_percent,
                     "100 (exp(d) - 1), d: mean over repetitions of the log ratio of the launches' medians", "%",
                     "95 % bound (t)"},
    Column<Compared>{"reference_step_us", &Compared::reference_step_us, "step of the cell that is compared with", "us"},
    Column<Compared>{"repetitions", &Compared::repetitions, "pairs of launches in the estimate"},
    Column<Compared>{"p", &Compared::p, "two-sided, of no difference: t over repetitions"},
    Column<Compared>{"p_holm", &Compared::p_holm, "the same, adjusted by Holm for all comparisons on this clock"},
    Column<Compared>{"comparisons", &Compared::comparisons, "how many those are"},
    Column<Compared>{"verdict", &Compared::verdict, "against the experiment's margin; empty with one repetition"},
    Column<Compared>{"reason", &Compared::reason, "what the verdict rests on"},
};

}  // namespace

template <>
std::span<const Column<SettingComparison>> columns<SettingComparison>() {
  return kSettingColumns;
}

template <>
std::vector<SettingComparison> make_finding(const Findings& findings) {
  return compare_settings(findings.study);
}

ReportTable settings_table() {
  return report_table<SettingComparison>("tables/settings.csv", "one value of one setting against the first, on one clock",
                                         [](const Findings& findings, auto& table) {
                                           for (const auto& row : findings.rows<SettingComparison>()) table.add(row);
                                         });
}

}  // namespace ddpbench
