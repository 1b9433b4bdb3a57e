#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {
namespace {

// What was counted of an arm's step, and how much of that its reference does not do.
struct CountsRow {
  std::string cell_id, arm, reference;
  double tensor_ops = kNotMeasured, extra_tensor_ops = kNotMeasured;
  double host_reads = kNotMeasured, extra_host_reads = kNotMeasured;
  double collectives = kNotMeasured, extra_collectives = kNotMeasured;
  double collective_bytes = kNotMeasured, extra_collective_bytes = kNotMeasured;
  std::string collective_kinds{};
  double python_calls = kNotMeasured, extra_python_calls = kNotMeasured;
  double heap_allocations = kNotMeasured, extra_heap_allocations = kNotMeasured;
  double resident_mib = kNotMeasured, extra_resident_mib = kNotMeasured;
  double tensors_mib = kNotMeasured, extra_tensors_mib = kNotMeasured;
};

using Counts = CountsRow;
const std::array kCountsColumns{
    Column<Counts>{"cell_id", &Counts::cell_id, "one combination of every axis except arm"},
    Column<Counts>{"arm", &Counts::arm, "who drives the step"},
    Column<Counts>{"reference", &Counts::reference, "what extra_… is counted from"},
    Column<Counts>{"tensor_ops", &Counts::tensor_ops,
                   "tensor operations (aten::) per step, backward included; not what these call themselves"},
    Column<Counts>{"extra_tensor_ops", &Counts::extra_tensor_ops, "of them, more than the reference's"},
    Column<Counts>{"host_reads", &Counts::host_reads, "values of tensors read on the host per step: item() and what calls it"},
    Column<Counts>{"extra_host_reads", &Counts::extra_host_reads, "of them, more than the reference's"},
    Column<Counts>{"collectives", &Counts::collectives, "collectives per step, of all kinds"},
    Column<Counts>{"extra_collectives", &Counts::extra_collectives, "of them, more than the reference's"},
    Column<Counts>{"collective_bytes", &Counts::collective_bytes, "of this rank's tensors in them", "B"},
    Column<Counts>{"extra_collective_bytes", &Counts::extra_collective_bytes, "of them, more than the reference's", "B"},
    Column<Counts>{"collective_kinds", &Counts::collective_kinds, "how many of which kind: allreduce=1;broadcast=1"},
    Column<Counts>{"python_calls", &Counts::python_calls, "functions in Python called per step; of arms in Python"},
    Column<Counts>{"extra_python_calls", &Counts::extra_python_calls, "of them, more than the reference's"},
    Column<Counts>{"heap_allocations", &Counts::heap_allocations,
                   "operator new per step on the main thread; where no Python hosts the launch"},
    Column<Counts>{"extra_heap_allocations", &Counts::extra_heap_allocations, "of them, more than the reference's"},
    Column<Counts>{"resident_mib", &Counts::resident_mib,
                   "largest resident set of a rank that trains this arm alone; where memory_where holds", "MiB"},
    Column<Counts>{"extra_resident_mib", &Counts::extra_resident_mib, "of it, more than the reference's", "MiB"},
    Column<Counts>{"tensors_mib", &Counts::tensors_mib, "the most that tensors took in it, on the device", "MiB"},
    Column<Counts>{"extra_tensors_mib", &Counts::extra_tensors_mib, "of it, more than the reference's", "MiB"},
};

}  // namespace

template <>
std::span<const Column<CountsRow>> columns<CountsRow>() {
  return kCountsColumns;
}

namespace {

// The counts of a cell: medians over launches and ranks.
class CellCounts {
 public:
  explicit CellCounts(const Cell& cell) : cell_(cell) {
    for (const auto& launch : cell.launches) {
      for (const auto& row : launch.metrics) values_[{row.arm, row.metric}].push_back(row.value);
    }
  }

  CountsRow row_of(const std::string& arm) const {
    CountsRow row{.cell_id = cell_.axes.cell_id, .arm = arm, .reference = cell_.family_of(arm).reference};
    const auto fill = [&](double CountsRow::*count, double CountsRow::*extra, auto&& of) {
      row.*count = of(arm);
      if (arm != row.reference) row.*extra = row.*count - of(row.reference);
    };
    const auto counted = [&](const Metric& metric) {
      return [&](const std::string& of) { return value(of, std::string(metric.name)); };
    };
    fill(&Counts::tensor_ops, &Counts::extra_tensor_ops, counted(kMetrics.tensor_ops));
    fill(&Counts::host_reads, &Counts::extra_host_reads, counted(kMetrics.host_reads));
    fill(&Counts::python_calls, &Counts::extra_python_calls, counted(kMetrics.python_calls));
    fill(&Counts::heap_allocations, &Counts::extra_heap_allocations, counted(kMetrics.heap_allocations));
    fill(&Counts::resident_mib, &Counts::extra_resident_mib, counted(kMetrics.arm_peak_memory));
    fill(&Counts::tensors_mib, &Counts::extra_tensors_mib, counted(kMetrics.arm_peak_tensors));
    fill(&Counts::collectives, &Counts::extra_collectives,
         [&](const std::string& of) { return over_kinds(of, kMetrics.collectives_of_kind); });
    fill(&Counts::collective_bytes, &Counts::extra_collective_bytes,
         [&](const std::string& of) { return over_kinds(of, kMetrics.collective_bytes_of_kind); });
    row.collective_kinds = kinds(arm);
    return row;
  }

 private:
  double value(const std::string& arm, const std::string& metric) const {
    const auto found = values_.find({arm, metric});
    return found == values_.end() ? kNotMeasured : median(found->second);
  }

  // A step that was counted and issued none has a sum of 0.
  double over_kinds(const std::string& arm, const Metric& metric) const {
    double sum = std::isfinite(value(arm, std::string(kMetrics.tensor_ops.name))) ? 0 : kNotMeasured;
    for (const auto& [of, values] : values_) {
      if (of.first == arm && !name_in_metric(of.second, metric).empty()) sum += median(values);
    }
    return sum;
  }

  std::string kinds(const std::string& arm) const {
    std::vector<std::string> found;
    for (const auto& [of, values] : values_) {
      const auto kind = name_in_metric(of.second, kMetrics.collectives_of_kind);
      if (of.first == arm && !kind.empty()) found.push_back(std::string(kind) + "=" + shortest_text(median(values)));
    }
    return join(found, ";");
  }

  const Cell& cell_;
  std::map<std::pair<std::string, std::string>, std::vector<double>> values_;  // by arm and metric
};

void add_counts(CsvText<CountsRow>& table, const Cell& cell) {
  const CellCounts counts(cell);
  for (const auto& arm : cell.arms) {
    const auto row = counts.row_of(arm);
    if (std::isfinite(row.tensor_ops)) table.add(row);
  }
}

}  // namespace

ReportTable counts_table() {
  return report_table<CountsRow>("tables/counts.csv", "what one arm's step does in one cell, counted",
                                 [](const Findings& findings, auto& table) {
                                   for (const auto& cell : findings.study.cells) add_counts(table, cell);
                                 });
}

}  // namespace ddpbench
