#include "suite/store/row_values.hpp"

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "suite/base/numbers.hpp"
#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/tables/csv_fields.hpp"

namespace ddpbench {
namespace {

// Of a column of integers.
template <class Row>
std::int64_t least_of(std::int64_t Row::*member) {
  if constexpr (std::is_same_v<Row, StepRow>) {
    if (member == &StepRow::step) return kFirstDiscardedStep;
  }
  return 0;
}

// Losses may be anything: that training went astray is a fact of the run, and its status says so.
template <class Row>
struct ValueCheck {
  const Row& row;
  bool has_unit;
  const char* operator()(std::string Row::* /*member*/) const { return nullptr; }
  const char* operator()(bool Row::* /*member*/) const { return nullptr; }
  const char* operator()(std::int64_t Row::*member) const {
    const auto least = least_of(member);
    if (row.*member >= least) return nullptr;
    return least < 0 ? "is below that of every discarded step" : "must not be negative";
  }
  const char* operator()(const NumberMember<Row>& member) const {
    const double number = member.of(row);
    if (!has_unit || std::isnan(number)) return nullptr;
    if (std::isinf(number)) return "must be finite";
    return number < 0 ? "must not be negative" : nullptr;
  }
};

template <class Row>
struct ValueText {
  const Row& row;
  std::string operator()(std::string Row::*member) const { return row.*member; }
  std::string operator()(bool Row::*member) const { return row.*member ? "1" : "0"; }
  std::string operator()(std::int64_t Row::*member) const { return std::to_string(row.*member); }
  std::string operator()(const NumberMember<Row>& member) const { return shortest_text(member.of(row)); }
};

// The columns that ValueCheck looks at, sorted: it takes tens of nanoseconds a row.
template <class Row>
class QuickCheck {
 public:
  QuickCheck() {
    for (const auto& field : csv_fields<Row>()) {
      if (const auto* integer = std::get_if<std::int64_t Row::*>(&field.member))
        counts_.emplace_back(*integer, least_of(*integer));
      const auto* number = std::get_if<NumberMember<Row>>(&field.member);
      if (number != nullptr && *field.unit != '\0') quantities_.push_back(*number);
    }
  }
  // False where ValueCheck would find something; true may be said of a row that is in order.
  bool is_suspect(const Row& row) const {
    bool suspect = false;
    for (const auto& [member, least] : counts_) suspect |= row.*member < least;
    for (const auto& member : quantities_) suspect |= member.of(row) < 0 || member.of(row) == HUGE_VAL;
    return suspect;
  }

 private:
  std::vector<std::pair<std::int64_t Row::*, std::int64_t>> counts_;  // with the least that each may be
  std::vector<NumberMember<Row>> quantities_;
};

template <class Row>
std::string problem_of_columns(const Row& row) {
  static const QuickCheck<Row> quick;
  if (!quick.is_suspect(row)) return "";
  for (const auto& field : csv_fields<Row>()) {
    const char* wrong = std::visit(ValueCheck<Row>{row, *field.unit != '\0'}, field.member);
    if (wrong == nullptr) continue;
    return "column " + field.name + ": " + std::visit(ValueText<Row>{row}, field.member) + " " + wrong;
  }
  return "";
}

}  // namespace

template <class Row>
std::string value_problem(const Row& row) {
  return problem_of_columns(row);
}

template <>
std::string value_problem<MetricRow>(const MetricRow& row) {
  if (row.rank < 0) return "column rank: " + std::to_string(row.rank) + " must not be negative";
  return std::isinf(row.value) ? "column value: must be finite" : "";
}

// A repetition takes time.
template <>
std::string value_problem<CollectiveSampleRow>(const CollectiveSampleRow& row) {
  if (auto problem = problem_of_columns(row); !problem.empty()) return problem;
  if (row.calls == 0) return "column calls: 0 must not be 0";
  if (!(row.wall_s > 0)) return "column wall_s: " + shortest_text(row.wall_s) + " must be above 0";
  if (!(row.slowest_s > 0)) return "column slowest_s: " + shortest_text(row.slowest_s) + " must be above 0";
  const bool is_count = std::isnan(row.wrong) || (std::isfinite(row.wrong) && row.wrong >= 0);
  return is_count ? "" : "column wrong: " + shortest_text(row.wrong) + " must be a count";
}

template <>
std::string value_problem<NodeCheckRow>(const NodeCheckRow& row) {
  auto problem = problem_of_columns(row);
  if (!problem.empty() || std::isnan(row.value) || (std::isfinite(row.value) && row.value >= 0)) return problem;
  return "column value: " + shortest_text(row.value) + " must be a finite number that is not negative";
}

template std::string value_problem<PlanRow>(const PlanRow&);
template std::string value_problem<RunRow>(const RunRow&);
template std::string value_problem<StepRow>(const StepRow&);
template std::string value_problem<ProfileRow>(const ProfileRow&);
template std::string value_problem<TracePartRow>(const TracePartRow&);
template std::string value_problem<TraceMemoryRow>(const TraceMemoryRow&);
template std::string value_problem<BlockRow>(const BlockRow&);

}  // namespace ddpbench
