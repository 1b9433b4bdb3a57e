#include <array>
#include <cmath>

#include "reports/analysis/findings/settings/setting_comparison.hpp"
#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

struct SettingRow {
  std::string setting, value, reference_value, cell_id, reference_cell_id, clock;
  Estimate difference_us;
  Estimate difference_percent;
  double reference_step_us = kNotMeasured;
  std::int64_t repetitions = 0;
  double p = kNotMeasured, p_holm = kNotMeasured;
  std::int64_t comparisons = 0;
  std::string verdict, reason;
};

const std::array kSettingColumns{
    Column<SettingRow>{"setting", &SettingRow::setting, "an axis or an option; the two cells differ in nothing else"},
    Column<SettingRow>{"value", &SettingRow::value, "of the cell that is compared"},
    Column<SettingRow>{"reference_value", &SettingRow::reference_value, "the one that the experiment lists first"},
    Column<SettingRow>{"cell_id", &SettingRow::cell_id, "the cell that is compared"},
    Column<SettingRow>{"reference_cell_id", &SettingRow::reference_cell_id, "with this cell"},
    Column<SettingRow>{"clock", &SettingRow::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<SettingRow>{"difference_us", &SettingRow::difference_us,
                       "of the reference arm's step: mean over repetitions of the difference of the launches' medians", "us",
                       "95 % bound (t)"},
    Column<SettingRow>{"difference_percent", &SettingRow::difference_percent,
                       "100 (exp(d) - 1), d: mean over repetitions of the log ratio of the launches' medians", "%",
                       "95 % bound (t)"},
    Column<SettingRow>{"reference_step_us", &SettingRow::reference_step_us, "step of the cell that is compared with", "us"},
    Column<SettingRow>{"repetitions", &SettingRow::repetitions, "pairs of launches in the estimate"},
    Column<SettingRow>{"p", &SettingRow::p, "two-sided, of no difference: t over repetitions"},
    Column<SettingRow>{"p_holm", &SettingRow::p_holm, "the same, adjusted by Holm for all comparisons on this clock"},
    Column<SettingRow>{"comparisons", &SettingRow::comparisons, "how many those are"},
    Column<SettingRow>{"verdict", &SettingRow::verdict, "against the experiment's margin; empty with one repetition"},
    Column<SettingRow>{"reason", &SettingRow::reason, "what the verdict rests on"},
};

}  // namespace

template <>
std::span<const Column<SettingRow>> columns<SettingRow>() {
  return kSettingColumns;
}

namespace {

double percent(double log_ratio) { return 100 * std::expm1(log_ratio); }

SettingRow row_of(const SettingComparison& comparison) {
  return {.setting = comparison.setting,
          .value = comparison.value,
          .reference_value = comparison.reference_value,
          .cell_id = comparison.cell_id,
          .reference_cell_id = comparison.reference_cell_id,
          .clock = comparison.clock,
          .difference_us = comparison.us,
          .difference_percent = mapped(comparison.log_ratio, percent),
          .reference_step_us = comparison.reference_step_us,
          .repetitions = static_cast<std::int64_t>(comparison.us.n),
          .p = comparison.p,
          .p_holm = comparison.p_holm,
          .comparisons = comparison.comparisons,
          .verdict = comparison.verdict,
          .reason = comparison.reason};
}

}  // namespace

ReportTable settings_table() {
  return report_table<SettingRow>("tables/settings.csv", "one value of one setting against the first, on one clock",
                                  [](const TableInputs& analysed, auto& table) {
                                    for (const auto& comparison : analysed.findings.settings) table.add(row_of(comparison));
                                  });
}

}  // namespace ddpbench
