#include <array>
#include <filesystem>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// A trace of one rank that the study's folders hold.
struct TraceRow {
  std::string cell_id, profiler, arms;
  std::int64_t rank = 0, first_step = 0, last_step = 0;
  std::string file, open_with;
};

std::vector<TraceRow> trace_rows(const Study& study) {
  std::vector<TraceRow> rows;
  for (const auto& row : study.profiles) {
    const auto* profiler = entry_or_null(profilers(), row.profiler);
    if (row.file.empty() || profiler == nullptr) continue;
    rows.push_back(
        {row.cell_id, row.profiler, row.arms, row.rank, row.first_step, row.last_step, row.file, std::string(profiler->open_by)});
  }
  return rows;
}

const std::array kTraceColumns{
    Column<TraceRow>{"cell_id", &TraceRow::cell_id, "one combination of every axis except arm"},
    Column<TraceRow>{"profiler", &TraceRow::profiler, "kineto or nsys"},
    Column<TraceRow>{"arms", &TraceRow::arms, "in the order in which they ran, separated by blanks"},
    Column<TraceRow>{"rank", &TraceRow::rank, "whose trace it is"},
    Column<TraceRow>{"first_step", &TraceRow::first_step, "of each arm, from 1"},
    Column<TraceRow>{"last_step", &TraceRow::last_step, "of each arm"},
    Column<TraceRow>{"file", &TraceRow::file, "in the results folder; of several folders with its path"},
    Column<TraceRow>{"open_with", &TraceRow::open_with, "a program or page that shows it"},
};

}  // namespace

template <>
std::span<const Column<TraceRow>> columns<TraceRow>() {
  return kTraceColumns;
}

ReportTable traces_table() {
  return report_table<TraceRow>("tables/traces.csv", "one rank of a cell: its trace, and what opens it",
                                [](const Findings& findings, auto& table) {
                                  for (const auto& row : trace_rows(findings.study)) table.add(row);
                                });
}

}  // namespace ddpbench
