#include "reports/analysis/regression/machine_formats.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/regression/comparison_phrases.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

const std::array kComparisonColumns{
    Column<ComparedRow>{"cell_id", &ComparedRow::cell_id, "the cell, of both sides"},
    Column<ComparedRow>{"what", &ComparedRow::what, "cost: of an arm over its reference; step: of a reference"},
    Column<ComparedRow>{"arm", &ComparedRow::arm, "the arm, or the reference"},
    Column<ComparedRow>{"clock", &ComparedRow::clock, "wall, thread_cpu, awaited or device"},
    Column<ComparedRow>{"base_us", &ComparedRow::base_us, "mean over base's launches", "us"},
    Column<ComparedRow>{"new_us", &ComparedRow::new_us, "mean over new's launches", "us"},
    Column<ComparedRow>{"change_us", &ComparedRow::change_us, "new less base: steps by repetition where both took turns", "us",
                        "bound (t; costs: Welch)"},
    Column<ComparedRow>{"change_percent", &ComparedRow::change_percent, "change_us, share of step_us", "%", "its bound"},
    Column<ComparedRow>{"step_us", &ComparedRow::step_us, "base's step that the user waits for", "us"},
    Column<ComparedRow>{"aa_lo_us", &ComparedRow::aa_lo_us,
                        "base measured again less base; else the change of the A/A arm: bound", "us"},
    Column<ComparedRow>{"aa_hi_us", &ComparedRow::aa_hi_us, "its other bound", "us"},
    Column<ComparedRow>{"resolution_us", &ComparedRow::resolution_us, "the smallest change that could be told from none", "us"},
    Column<ComparedRow>{"margin_us", &ComparedRow::margin_us, "of the experiment: changes within count as none", "us"},
    Column<ComparedRow>{"base_launches", &ComparedRow::base_launches, "of base"},
    Column<ComparedRow>{"new_launches", &ComparedRow::new_launches, "of new"},
    Column<ComparedRow>{"p_slower_holm", &ComparedRow::p_slower_holm,
                        "one-sided, of a change up to the threshold; Holm over the clock"},
    Column<ComparedRow>{
        "p_within_holm", &ComparedRow::p_within_holm,
        "one-sided, of a change by the threshold or more (the margin, where none was given); Holm over the clock"},
    Column<ComparedRow>{"settle_launches", &ComparedRow::settle_launches,
                        "launches of each that would tell, if the estimate stands"},
    Column<ComparedRow>{"counts", &ComparedRow::counts, "1: the exit code rests on it"},
    Column<ComparedRow>{"verdict", &ComparedRow::verdict, "as an arm's; empty: told only"},
    Column<ComparedRow>{"gate", &ComparedRow::gate, "REGRESSION, PASS or OPEN; empty: does not count"},
    Column<ComparedRow>{"reason", &ComparedRow::reason, "what the verdict rests on"},
};

}  // namespace

template <>
std::span<const Column<ComparedRow>> columns<ComparedRow>() {
  return kComparisonColumns;
}

namespace {

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml_text(value) + "\"";
}

struct JunitCounts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  void add(const JunitCounts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
  }
  std::string text() const {
    return attribute("tests", std::to_string(tests)) + attribute("failures", std::to_string(failures)) +
           attribute("errors", std::to_string(errors)) + attribute("skipped", std::to_string(skipped));
  }
};

std::string change_of(const ComparedRow& row) {
  return estimate_phrase(row.change_us.value, row.change_us.lo, row.change_us.hi) + ", " + signed_text(row.change_percent.value) +
         " % of the step";
}

// Of microseconds: in seconds, without an exponent.
std::string seconds_text(double us) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), 1e-6 * us, std::chars_format::fixed, 9);
  return {text.data(), end.ptr};
}

// Its time is the new build's figure, which is what CI services draw over their runs.
std::string case_xml(const ComparedRow& row, bool open_is_an_error, JunitCounts& counts) {
  ++counts.tests;
  std::string inside;
  const auto message = attribute("message", change_of(row) + ": " + row.reason);
  if (row.gate == gate::kRegression) {
    ++counts.failures;
    inside = "      <failure" + message + attribute("type", row.gate) + "/>\n";
  } else if (row.gate == gate::kOpen && open_is_an_error) {
    ++counts.errors;
    inside = "      <error" + message + attribute("type", row.gate) + "/>\n";
  } else if (row.gate == gate::kOpen) {
    ++counts.skipped;
    inside = "      <skipped" + message + "/>\n";
  }
  const auto head = "    <testcase" + attribute("classname", "ddpbench." + row.cell_id) +
                    attribute("name", quantity_phrase(row) + " (" + row.clock + ")") +
                    (row.new_us > 0 ? attribute("time", seconds_text(row.new_us)) : "");
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
}

std::vector<std::string> cells_of(const BuildComparison& comparison) {
  std::vector<std::string> cells;
  for (const auto& row : comparison.rows) {
    if (row.counts && !holds(cells, row.cell_id)) cells.push_back(row.cell_id);
  }
  return cells;
}

}  // namespace

std::string junit_xml(const BuildComparison& comparison, bool open_is_an_error) {
  JunitCounts all;
  std::string suites;
  for (const auto& cell : cells_of(comparison)) {
    JunitCounts counts;
    std::string cases;
    for (const auto& row : comparison.rows) {
      if (row.counts && row.cell_id == cell) cases += case_xml(row, open_is_an_error, counts);
    }
    suites += "  <testsuite" + attribute("name", cell) + counts.text() + ">\n" + cases + "  </testsuite>\n";
    all.add(counts);
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "ddpbench compare") +
         attribute("tests", std::to_string(all.tests)) + attribute("failures", std::to_string(all.failures)) +
         attribute("errors", std::to_string(all.errors)) + ">\n" + suites + "</testsuites>\n";
}

std::string benchmark_json(const BuildComparison& comparison) {
  auto entries = nlohmann::ordered_json::array();
  for (const auto& row : comparison.rows) {
    if (!row.counts || !std::isfinite(row.new_us)) continue;
    const double half = 0.5 * (row.change_us.hi - row.change_us.lo);
    entries.push_back({{"name", quantity_phrase(row) + ", " + row.label + " (" + row.clock + ")"},
                       {"unit", "us"},
                       {"value", row.new_us},
                       {"range", std::isfinite(half) ? "± " + number_text(half) : "?"},
                       {"extra", (row.gate.empty() ? std::string() : row.gate + ": ") + change_of(row)}});
  }
  return entries.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

TableSchema comparison_table() {
  return table_schema<ComparedRow>(kComparisonFile, "one quantity of both sides of `ddpbench compare`, on one clock");
}

std::string comparison_csv(const BuildComparison& comparison) { return csv_text(comparison.rows); }

}  // namespace ddpbench
