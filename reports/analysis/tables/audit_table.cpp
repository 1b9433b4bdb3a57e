#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

const std::array kAuditColumns{
    Column<AuditRow>{"what", &AuditRow::what, "a key of `launches` in environment.json"},
    Column<AuditRow>{"severity", &AuditRow::severity,
                     "error: not the same software or hardware; warning: it may matter; asked_for: an axis or an option"},
    Column<AuditRow>{"values", &AuditRow::values, "each with the launches that have it"},
    Column<AuditRow>{"launches", &AuditRow::launches, "that have the fact"},
    Column<AuditRow>{"cells", &AuditRow::cells, "of these launches"},
    Column<AuditRow>{"within_a_cell", &AuditRow::within_a_cell,
                     "1: differs between launches of one cell, not between cells alone"},
    Column<AuditRow>{"asked_for", &AuditRow::asked_for, "the axis or option that makes the difference"},
};

}  // namespace

template <>
std::span<const Column<AuditRow>> columns<AuditRow>() {
  return kAuditColumns;
}

ReportTable audit_table() {
  return report_table<AuditRow>("tables/audit.csv", "one fact that is not the same in all launches",
                                [](const TableInputs& analysed, auto& table) {
                                  for (const auto& row : analysed.findings.audit) table.add(row);
                                });
}

}  // namespace ddpbench
