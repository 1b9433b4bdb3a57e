#include "suite/contract/csv_writer.hpp"

#include <cmath>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

template <class Row>
struct CellWriter {
  std::string& text;
  const Row& row;
  void operator()(std::string Row::*member) const { text += csv_field(row.*member); }
  void operator()(std::int64_t Row::*member) const { append_number(text, row.*member); }
  void operator()(bool Row::*member) const { text += row.*member ? '1' : '0'; }
  void operator()(double Row::*member) const {
    if (!std::isnan(row.*member)) append_number(text, row.*member);
  }
};

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + '"';
}

template <class Row>
std::string csv_header() {
  std::string text;
  for (const auto& column : columns<Row>()) text += (text.empty() ? "" : ",") + std::string(column.name);
  return text + "\n";
}

template <class Row>
void append_csv_row(std::string& text, const Row& row) {
  bool first = true;
  for (const auto& column : columns<Row>()) {
    if (!first) text += ',';
    first = false;
    std::visit(CellWriter<Row>{text, row}, column.member);
  }
  text += '\n';
}

#define DDPBENCH_CSV_WRITER(Row)          \
  template std::string csv_header<Row>(); \
  template void append_csv_row<Row>(std::string&, const Row&)
DDPBENCH_CSV_WRITER(PlanRow);
DDPBENCH_CSV_WRITER(RunRow);
DDPBENCH_CSV_WRITER(StepRow);
DDPBENCH_CSV_WRITER(BlockRow);
DDPBENCH_CSV_WRITER(MetricRow);
DDPBENCH_CSV_WRITER(OverheadRow);
DDPBENCH_CSV_WRITER(ScalingRow);
#undef DDPBENCH_CSV_WRITER

}  // namespace ddpbench
