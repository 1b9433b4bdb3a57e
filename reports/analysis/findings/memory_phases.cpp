#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {
namespace {

// The most memory that was live in one phase of an arm's steps, in processes that train the arm alone.
struct MemoryPhaseRow {
  std::string cell_id, arm, reference, phase;
  double tensors_mib = kNotMeasured, extra_tensors_mib = kNotMeasured, reserved_mib = kNotMeasured;
  bool is_peak = false;
  std::int64_t ranks = 0;
};

const std::array kMemoryPhaseColumns{
    Column<MemoryPhaseRow>{"cell_id", &MemoryPhaseRow::cell_id, "one combination of every axis except arm"},
    Column<MemoryPhaseRow>{"arm", &MemoryPhaseRow::arm, "who drives the step"},
    Column<MemoryPhaseRow>{"reference", &MemoryPhaseRow::reference, "what extra_tensors_mib is counted from"},
    Column<MemoryPhaseRow>{"phase", &MemoryPhaseRow::phase,
                           "of the step, the innermost one; set_up: before the steps, the first ones included"},
    Column<MemoryPhaseRow>{"tensors_mib", &MemoryPhaseRow::tensors_mib,
                           "the most that tensors took meanwhile of the device (of the host, without one): over steps and ranks",
                           "MiB"},
    Column<MemoryPhaseRow>{
        "extra_tensors_mib", &MemoryPhaseRow::extra_tensors_mib,
        "of it, more than the reference's in the same phase; empty: it is the reference, or that has no such phase", "MiB"},
    Column<MemoryPhaseRow>{"reserved_mib", &MemoryPhaseRow::reserved_mib,
                           "the most that the caching allocator held of the device meanwhile; empty: on the CPU", "MiB"},
    Column<MemoryPhaseRow>{"is_peak", &MemoryPhaseRow::is_peak, "1: the arm's tensors_mib is largest here; the first such phase"},
    Column<MemoryPhaseRow>{"ranks", &MemoryPhaseRow::ranks, "that were looked at"},
};

}  // namespace

template <>
std::span<const Column<MemoryPhaseRow>> columns<MemoryPhaseRow>() {
  return kMemoryPhaseColumns;
}

namespace {

using PhaseNames = std::array<std::string_view, kPhaseCount + 1>;

// In the order of time, as far as there is one.
PhaseNames parts_with_memory() {
  PhaseNames names{"set_up"};
  std::copy(kPhaseNames.begin(), kPhaseNames.end(), names.begin() + 1);
  return names;
}

// The peaks of a cell, by arm and phase: the largest over launches and ranks.
class CellMemory {
 public:
  explicit CellMemory(const Cell& cell) : cell_(cell) {
    for (const auto& launch : cell.launches) {
      for (const auto& row : launch.metrics) {
        const auto tensors = name_in_metric(row.metric, kMetrics.arm_phase_tensors);
        if (!tensors.empty()) add(row, tensors, &Peak::tensors_mib);
        const auto reserved = name_in_metric(row.metric, kMetrics.arm_phase_reserved);
        if (!reserved.empty()) add(row, reserved, &Peak::reserved_mib);
      }
    }
  }

  std::vector<MemoryPhaseRow> rows_of(const std::string& arm) const {
    const auto& reference = cell_.family_of(arm).reference;
    std::vector<MemoryPhaseRow> rows;
    for (const auto phase : parts_with_memory()) {
      const auto* peak = find(arm, phase);
      if (peak == nullptr) continue;
      const auto* other = arm == reference ? nullptr : find(reference, phase);
      rows.push_back({cell_.axes.cell_id, arm, reference, std::string(phase), peak->tensors_mib,
                      other == nullptr ? kNotMeasured : peak->tensors_mib - other->tensors_mib, peak->reserved_mib, false,
                      peak->ranks});
    }
    const auto largest =
        std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.tensors_mib < b.tensors_mib; });
    if (largest != rows.end()) largest->is_peak = true;
    return rows;
  }

 private:
  struct Peak {
    double tensors_mib = kNotMeasured, reserved_mib = kNotMeasured;
    std::int64_t ranks = 0;
  };

  void add(const MetricRow& row, std::string_view phase, double Peak::*value) {
    auto& peak = peaks_[{row.arm, std::string(phase)}];
    peak.*value = std::fmax(peak.*value, row.value);
    if (value == &Peak::tensors_mib) ++peak.ranks;
  }

  const Peak* find(const std::string& arm, std::string_view phase) const {
    const auto found = peaks_.find({arm, std::string(phase)});
    return found == peaks_.end() ? nullptr : &found->second;
  }

  const Cell& cell_;
  std::map<std::pair<std::string, std::string>, Peak> peaks_;
};

}  // namespace

ReportTable phase_memory_table() {
  return report_table<MemoryPhaseRow>("tables/phase_memory.csv",
                                      "one phase of an arm's steps: the most memory that was live in it",
                                      [](const Findings& findings, auto& table) {
                                        for (const auto& cell : findings.study.cells) {
                                          const CellMemory memory(cell);
                                          for (const auto& arm : cell.arms) {
                                            for (const auto& row : memory.rows_of(arm)) table.add(row);
                                          }
                                        }
                                      });
}

}  // namespace ddpbench
