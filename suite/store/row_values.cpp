#include "suite/store/row_values.hpp"

#include <cmath>
#include <type_traits>

#include "suite/base/numbers.hpp"
#include "suite/contract/discarded_steps.hpp"

namespace ddpbench {
namespace {

// Losses may be anything: that training went astray is a fact of the run, and its status says so.
template <class Row>
struct ValueCheck {
  const Row& row;
  bool has_unit;
  const char* operator()(std::string Row::* /*member*/) const { return nullptr; }
  const char* operator()(bool Row::* /*member*/) const { return nullptr; }
  const char* operator()(std::int64_t Row::*member) const {
    if constexpr (std::is_same_v<Row, StepRow>) {
      if (member == &StepRow::step) return row.step < kFirstDiscardedStep ? "is below that of every discarded step" : nullptr;
    }
    return row.*member < 0 ? "must not be negative" : nullptr;
  }
  const char* operator()(double Row::*member) const {
    if (!has_unit || std::isnan(row.*member)) return nullptr;
    if (std::isinf(row.*member)) return "must be finite";
    return row.*member < 0 ? "must not be negative" : nullptr;
  }
};

template <class Row>
struct ValueText {
  const Row& row;
  std::string operator()(std::string Row::*member) const { return row.*member; }
  std::string operator()(bool Row::*member) const { return row.*member ? "1" : "0"; }
  std::string operator()(std::int64_t Row::*member) const { return std::to_string(row.*member); }
  std::string operator()(double Row::*member) const { return shortest_text(row.*member); }
};

}  // namespace

template <class Row>
std::string value_problem(const Row& row) {
  for (const auto& column : columns<Row>()) {
    const char* wrong = std::visit(ValueCheck<Row>{row, *column.unit != '\0'}, column.member);
    if (wrong == nullptr) continue;
    return "column " + std::string(column.name) + ": " + std::visit(ValueText<Row>{row}, column.member) + " " + wrong;
  }
  return "";
}

template <>
std::string value_problem<MetricRow>(const MetricRow& row) {
  if (row.rank < 0) return "column rank: " + std::to_string(row.rank) + " must not be negative";
  return std::isinf(row.value) ? "column value: must be finite" : "";
}

template std::string value_problem<PlanRow>(const PlanRow&);
template std::string value_problem<RunRow>(const RunRow&);
template std::string value_problem<StepRow>(const StepRow&);
template std::string value_problem<BlockRow>(const BlockRow&);

}  // namespace ddpbench
