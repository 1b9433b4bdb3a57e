#include "reports/analysis/regression/history.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "suite/base/numbers.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

bool is_kept(const HistoryEntry& entry, const LaunchValues& values) {
  const bool is_of_a_host = values.clock == Clock::kThreadCpu || values.clock == Clock::kWall;
  return !values.is_aa && (values.clock == entry.values.primary_clock || is_of_a_host);
}

std::string column_of(const LaunchValues& values) {
  return values.what + "_us." + values.cell_id + "." + values.arm + "." + entry_of(values.clock).name;
}

std::set<std::string> columns_of(const std::vector<HistoryEntry>& entries) {
  std::set<std::string> columns;
  for (const auto& entry : entries) {
    for (const auto& values : entry.values.values) {
      if (is_kept(entry, values)) columns.insert(column_of(values));
    }
  }
  return columns;
}

// "2026-11-27T03:14:04Z" -> "2026-11-27 03:14:04 +0000"
std::string time_phrase(const std::string& utc) {
  auto text = utc;
  std::replace(text.begin(), text.end(), 'T', ' ');
  if (text.ends_with('Z')) text.pop_back();
  return text + " +0000";
}

std::string row_of(const HistoryEntry& entry, const std::set<std::string>& columns) {
  std::map<std::string, double> figures;
  for (const auto& values : entry.values.values) {
    if (is_kept(entry, values)) figures[column_of(values)] = 1e6 * mean_over_launches(values.by_repetition);
  }
  auto row = time_phrase(entry.values.started_utc) + "," + csv_field(entry.name);
  for (const auto& column : columns) {
    row += ",";
    if (const auto found = figures.find(column); found != figures.end()) append_number(row, found->second);
  }
  return row + "\n";
}

}  // namespace

std::string history_csv(std::vector<HistoryEntry> entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const HistoryEntry& a, const HistoryEntry& b) { return a.values.started_utc < b.values.started_utc; });
  const auto columns = columns_of(entries);
  std::string text = "time,results";
  for (const auto& column : columns) text += "," + csv_field(column);
  text += "\n";
  for (const auto& entry : entries) text += row_of(entry, columns);
  return text;
}

std::string otava_config(const std::vector<HistoryEntry>& entries, const std::string& name, const std::string& csv_path) {
  std::string text = "tests:\n  " + name + ":\n    type: csv\n    file: " + csv_path +
                     "\n    time_column: time\n    attributes: [results]\n    metrics:\n";
  for (const auto& column : columns_of(entries)) {
    text += "      " + column + ":\n        column: " + column + "\n        direction: -1\n        scale: 1\n";
  }
  return text;
}

}  // namespace ddpbench
