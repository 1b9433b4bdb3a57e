#include "reports/analysis/findings/audit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/launch/options.hpp"

namespace ddpbench {
namespace {

// Keys whose difference makes launches incomparable: versions, builds, kinds of machine. A key that ends in `_version` is one too.
constexpr std::array kErrorKeys{"build_id", "worker_build_id", "torch",  "cuda",      "cudnn",     "nccl", "mpi",
                                "gloo",     "driver",          "python", "lightning", "cpu_model", "gpu",  "git_commit"};

// Numbers that are never the same twice: they differ when the largest is more than `ratio` times the smallest. Both count as `floor` at
// least.
struct Tolerance {
  const char* key;
  double ratio, floor;
};
constexpr const char* kJob = "job";    // of several folders: JoinedFolders::environment()
constexpr const char* kLoad = "load";  // one-minute average
constexpr std::array kTolerances{Tolerance{"cpu_mhz", 1.1, 0}, Tolerance{kLoad, 2, 1}};
constexpr Tolerance kOtherNumbers{"", 1.05, 0};

constexpr std::size_t kMostLaunches = 3;  // named beside a value
constexpr std::size_t kMostValues = 4;

struct Seen {
  const Fact* fact;
  const Cell* cell;
  std::string launch_id;
};

bool is_error_key(const std::string& key) {
  return key.ends_with("_version") || std::find(kErrorKeys.begin(), kErrorKeys.end(), key) != kErrorKeys.end();
}

const Tolerance& tolerance_of(const std::string& key) {
  const auto* found = std::find_if(kTolerances.begin(), kTolerances.end(), [&](const Tolerance& t) { return key == t.key; });
  return found == kTolerances.end() ? kOtherNumbers : *found;
}

bool is_number(const Seen& seen) { return std::isfinite(seen.fact->number); }

// Counts (threads, ranks, workers) and versions (12.4 looks like a number) are the same or not; a measured number has a tolerance.
bool is_measured(const std::string& key, const std::vector<Seen>& all) {
  if (is_error_key(key) || !std::all_of(all.begin(), all.end(), is_number)) return false;
  const bool whole =
      std::all_of(all.begin(), all.end(), [](const Seen& s) { return std::floor(s.fact->number) == s.fact->number; });
  return !whole || &tolerance_of(key) != &kOtherNumbers;
}

bool by_number(const Seen& a, const Seen& b) { return a.fact->number < b.fact->number; }

// A launch finds the load of the ranks before it, which are this run's own: what counts is the load of others.
double number_of(const std::string& key, const Seen& seen) {
  return seen.fact->number - (key == kLoad ? static_cast<double>(seen.cell->axes.ranks_per_node) : 0);
}

bool numbers_differ(const std::string& key, const std::vector<Seen>& all) {
  const auto& tolerance = tolerance_of(key);
  const auto smaller = [&](const Seen& a, const Seen& b) { return number_of(key, a) < number_of(key, b); };
  const auto [least, most] = std::minmax_element(all.begin(), all.end(), smaller);
  return std::max(number_of(key, *most), tolerance.floor) > tolerance.ratio * std::max(number_of(key, *least), tolerance.floor);
}

bool texts_differ(const std::vector<Seen>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Seen& seen) { return seen.fact->text != all.front().fact->text; });
}

bool differ(const std::string& key, const std::vector<Seen>& all) {
  return is_measured(key, all) ? numbers_differ(key, all) : texts_differ(all);
}

std::map<const Cell*, std::vector<Seen>> by_cell(const std::vector<Seen>& all) {
  std::map<const Cell*, std::vector<Seen>> cells;
  for (const auto& seen : all) cells[seen.cell].push_back(seen);
  return cells;
}

bool differs_within_a_cell(const std::string& key, const std::vector<Seen>& all) {
  const auto cells = by_cell(all);
  return std::any_of(cells.begin(), cells.end(), [&](const auto& cell) { return differ(key, cell.second); });
}

std::string number_phrase(const std::vector<Seen>& all) {
  const auto [least, most] = std::minmax_element(all.begin(), all.end(), by_number);
  return least->fact->text + " (" + least->launch_id + ") to " + most->fact->text + " (" + most->launch_id + ")";
}

std::string value_phrase(const std::string& value, const std::vector<std::string>& launches) {
  std::string text = value + " (" + counted(static_cast<std::int64_t>(launches.size()), "launch") + ": ";
  for (std::size_t i = 0; i < std::min(launches.size(), kMostLaunches); ++i) text += (i == 0 ? "" : ", ") + launches[i];
  return text + (launches.size() > kMostLaunches ? ", …)" : ")");
}

std::string text_phrase(const std::vector<Seen>& all) {
  std::map<std::string, std::vector<std::string>> launches;
  for (const auto& seen : all) launches[seen.fact->text].push_back(seen.launch_id);
  std::string text;
  std::size_t said = 0;
  for (const auto& [value, of_value] : launches) {
    if (++said <= kMostValues) text += (text.empty() ? "" : "; ") + value_phrase(value, of_value);
  }
  if (said > kMostValues) text += "; and " + std::to_string(said - kMostValues) + " more values";
  return text;
}

// What follows from an axis of another name.
struct Follows {
  const char* key;
  const char* axis;
};
constexpr std::array kFollows{Follows{"hosts", "nodes"}, Follows{"binding", "ranks_per_node"}};

std::string axis_of(const std::string& key) {
  const auto* found = std::find_if(kFollows.begin(), kFollows.end(), [&](const Follows& f) { return key == f.key; });
  return found == kFollows.end() ? key : found->axis;
}

std::string asked_value(const PlanRow& axes, const std::string& key) {
  const auto* axis = find_standard_axis(key);
  return axis == nullptr ? option_value(axes.options, key) : text_of(*axis, axes);
}

// Where the key is, or follows from, an axis or an option: whether every two launches that differ in it were asked to.
bool was_asked_for(const std::string& key, const std::vector<Seen>& all) {
  std::map<std::string, std::string> fact_of;
  for (const auto& seen : all) {
    const auto asked = asked_value(seen.cell->axes, axis_of(key));
    if (asked.empty()) return false;
    const auto [at, fresh] = fact_of.try_emplace(asked, seen.fact->text);
    if (!fresh && at->second != seen.fact->text) return false;
  }
  return true;
}

AuditRow row_of(const std::string& key, const std::vector<Seen>& all) {
  AuditRow row;
  row.what = key;
  row.values = is_measured(key, all) ? number_phrase(all) : text_phrase(all);
  row.launches = static_cast<std::int64_t>(all.size());
  row.cells = static_cast<std::int64_t>(by_cell(all).size());
  row.within_a_cell = differs_within_a_cell(key, all);
  row.severity = is_error_key(key) ? audit_severity::kError : audit_severity::kWarning;
  if (was_asked_for(key, all)) {
    row.severity = audit_severity::kAsked;
    row.asked_for = axis_of(key);
  }
  return row;
}

std::map<std::string, const Cell*> cells_of_launches(const Study& study) {
  std::map<std::string, const Cell*> cells;
  for (const auto& cell : study.cells) {
    for (const auto& launch : cell.launches) cells[launch.launch_id] = &cell;
  }
  return cells;
}

int rank_of(const AuditRow& row) {
  if (row.severity == audit_severity::kError) return 0;
  return row.severity == audit_severity::kWarning ? 1 : 2;
}

}  // namespace

std::vector<AuditRow> audit_rows(const Study& study) {
  const auto cells = cells_of_launches(study);
  std::map<std::string, std::vector<Seen>> facts;
  for (const auto& launch : study.launch_facts) {
    const auto cell = cells.find(launch.launch_id);
    if (cell == cells.end()) continue;
    for (const auto& [key, fact] : launch.facts) facts[key].push_back({&fact, cell->second, launch.launch_id});
  }
  std::vector<AuditRow> rows;
  for (const auto& [key, all] : facts) {
    if (differ(key, all)) rows.push_back(row_of(key, all));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const AuditRow& a, const AuditRow& b) { return rank_of(a) < rank_of(b); });
  return rows;
}

std::vector<std::string> audit_phrase(const std::vector<AuditRow>& rows) {
  std::vector<std::string> sentences;
  for (const auto& row : rows) {
    if (row.severity == audit_severity::kAsked) continue;
    const auto where = row.within_a_cell ? "between launches of one cell" : "between cells";
    if (row.what == kJob) {
      sentences.push_back(row.severity + ": measured in several jobs, on other nodes or at another time; they differ " + where +
                          ": " + row.values);
      continue;
    }
    sentences.push_back(row.severity + ": " + row.what + " differs " + where + ", and was not asked for: " + row.values);
  }
  return sentences;
}

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

template <>
std::vector<AuditRow> make_finding(const Findings& findings) {
  return audit_rows(findings.study);
}

ReportTable audit_table() {
  return report_table<AuditRow>("tables/audit.csv", "one fact that is not the same in all launches",
                                [](const Findings& findings, auto& table) {
                                  for (const auto& row : findings.rows<AuditRow>()) table.add(row);
                                });
}

}  // namespace ddpbench
