#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

namespace audit_severity {
inline constexpr const char* kError = "error";      // what is compared is not the same software or hardware
inline constexpr const char* kWarning = "warning";  // it may matter
inline constexpr const char* kAsked = "asked_for";  // an axis or an option of the experiment
}  // namespace audit_severity

// Holds a fact (a key of `launches` in environment.json) that is not the same in all launches of the study.
struct AuditRow {
  std::string what;
  std::string values;                    // "2.11.0 (4 launches: L0001, L0002, …); 2.12.0 (1 launch: L0005)"
  std::int64_t launches = 0, cells = 0;  // with that fact
  bool within_a_cell = false;            // differs between launches of one cell, not between cells alone
  std::string severity, asked_for;       // asked_for: the axis or option that makes the difference
};

// Finds such facts, errors first. Does not compare a fact that a launch does not have.
std::vector<AuditRow> audit_rows(const Study& study);
template <>
std::vector<AuditRow> make_finding(const Findings& findings);

// Returns "error: torch is not the same everywhere: …"; nothing for what was asked for.
std::vector<std::string> audit_phrase(const std::vector<AuditRow>& rows);

}  // namespace ddpbench
