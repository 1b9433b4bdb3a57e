#include "reports/analysis/findings/sizes/batch_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {
namespace {

constexpr double kMibPerGib = 1024;
// Times the largest batch that was measured: so far beyond it a line says no more than that there is room.
constexpr std::int64_t kFarBeyond = 16;
constexpr double kRoundOff = 1e-6;  // of a sample

struct OfBatch {
  double peak_mib = kNotMeasured;
  std::string cell_id;
};

// Cells that differ in the batch size per rank alone.
struct MemoryGroup {
  const Cell* first = nullptr;
  bool on_gpus = false;
  std::map<std::int64_t, OfBatch> batches;
  double available_mib = kNotMeasured;
  std::int64_t did_not_fit = 0;
};

std::string all_but_the_batch(const PlanRow& axes) {
  constexpr std::array<std::string_view, 1> kBatch{"batch_size_per_rank"};
  return axes_but(kBatch, axes);
}

void add_memory(const Cell& cell, MemoryGroup& group) {
  const bool on_device = group.on_gpus;
  const auto& peak = on_device ? kMetrics.peak_device_memory : kMetrics.peak_memory;
  const auto& available = on_device ? kMetrics.device_memory : kMetrics.node_memory;
  const auto share = on_device ? 1.0 : static_cast<double>(cell.axes.ranks_per_node);
  for (const auto& launch : cell.launches) {
    for (const auto& row : launch.metrics) {
      if (!std::isfinite(row.value)) continue;
      if (row.metric == peak.name) {
        auto& batch = group.batches[cell.axes.batch_size_per_rank];
        batch = {std::fmax(batch.peak_mib, row.value), cell.axes.cell_id};
      }
      if (row.metric == available.name) group.available_mib = std::fmin(group.available_mib, row.value / share);
    }
  }
}

bool ran_out_of_memory(const Study& study, const Cell& cell) {
  return std::any_of(study.points.begin(), study.points.end(), [&](const Point& point) {
    return point.cell_id == cell.axes.cell_id && point.reason.find("out of memory") != std::string::npos;
  });
}

std::vector<MemoryGroup> memory_groups(const Study& study) {
  std::vector<MemoryGroup> groups;
  std::map<std::string, std::size_t> places;
  for (const auto& cell : study.cells) {
    const auto [place, is_new] = places.try_emplace(all_but_the_batch(cell.axes), groups.size());
    if (is_new) groups.emplace_back();
    auto& group = groups[place->second];
    if (is_new) {
      group.first = &cell;
      group.on_gpus = occupies_gpus(study.vocabulary, cell.axes.backend);
    }
    add_memory(cell, group);
    const auto batch = cell.axes.batch_size_per_rank;
    if (ran_out_of_memory(study, cell) && (group.did_not_fit == 0 || batch < group.did_not_fit)) group.did_not_fit = batch;
  }
  return groups;
}

// peak = fixed + mib_per_sample · batch.
void fit(const std::map<std::int64_t, OfBatch>& batches, BatchMemoryRow& row) {
  const auto n = static_cast<double>(batches.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (const auto& [batch, of] : batches) {
    mean_x += static_cast<double>(batch) / n;
    mean_y += of.peak_mib / n;
  }
  for (const auto& [batch, of] : batches) {
    const double x = static_cast<double>(batch) - mean_x;
    xx += x * x;
    xy += x * (of.peak_mib - mean_y);
  }
  if (!(xx > 0) || !(xy > 0)) return;
  row.mib_per_sample = xy / xx;
  row.fixed_mib = mean_y - row.mib_per_sample * mean_x;
}

BatchMemoryRow memory_row(const MemoryGroup& group) {
  const auto& [batch, of] = *group.batches.rbegin();
  BatchMemoryRow row;
  row.cell_id = of.cell_id;
  row.where = group.on_gpus ? "device" : "node";
  row.world_size = group.first->world_size();
  row.batch_sizes = static_cast<std::int64_t>(group.batches.size());
  row.batch_size_per_rank = batch;
  row.peak_mib = of.peak_mib;
  row.available_mib = group.available_mib;
  row.did_not_fit = group.did_not_fit;
  fit(group.batches, row);
  const double fits = (row.available_mib - row.fixed_mib) / row.mib_per_sample;
  if (std::isfinite(fits)) row.largest_batch = std::max(batch, static_cast<std::int64_t>(fits + kRoundOff));
  if (row.did_not_fit > batch && row.largest_batch > 0) row.largest_batch = std::min(row.largest_batch, row.did_not_fit - 1);
  return row;
}

std::string training_of(const PlanRow& axes) {
  return join(std::vector<std::string>{axes.workload, axes.strategy, axes.precision, axes.options}, "\n");
}

// Of two digits: a line through a few batches knows no more.
std::string about(std::int64_t batch) {
  double step = 1;
  while (static_cast<double>(batch) / step >= 100) step *= 10;
  return std::to_string(static_cast<std::int64_t>(std::floor(static_cast<double>(batch) / step) * step));
}

std::string memory_sentence(const Study& study, const BatchMemoryRow& row) {
  const auto& axes = study.cell_of(row.cell_id).axes;
  const auto gib = [](double mib) { return number_text(mib / kMibPerGib, 2); };
  auto text = "Memory, " + axes.workload + ", " + axes.precision + ": batch " + std::to_string(row.batch_size_per_rank) +
              " per rank takes " + gib(row.peak_mib) + " of " + gib(row.available_mib) + " GiB";
  if (row.where == "node") text += " that a rank has of its node";
  if (row.largest_batch > kFarBeyond * row.batch_size_per_rank) {
    text += "; it is no limit to such batches";
  } else if (row.largest_batch > row.batch_size_per_rank) {
    text += "; by a line through " + std::to_string(row.batch_sizes) + " batch sizes some " + about(row.largest_batch) + " fit";
  } else if (row.batch_sizes < 2 && row.did_not_fit == 0) {
    text += "; a second batch size would tell how many fit";
  }
  if (row.did_not_fit > 0) text += "; batch " + std::to_string(row.did_not_fit) + " did not fit";
  return text + ".";
}

}  // namespace

std::vector<BatchMemoryRow> batch_memory_rows(const Study& study) {
  std::vector<BatchMemoryRow> rows;
  for (const auto& group : memory_groups(study)) {
    if (!group.batches.empty()) rows.push_back(memory_row(group));
  }
  return rows;
}

std::vector<std::string> memory_sentences(const Study& study, const std::vector<BatchMemoryRow>& rows, std::size_t most) {
  const auto fit_in = [](const BatchMemoryRow& row) {
    return row.largest_batch > 0 ? row.largest_batch : row.batch_size_per_rank;
  };
  std::vector<const BatchMemoryRow*> tightest;
  std::map<std::string, std::size_t> places;
  for (const auto& row : rows) {
    if (!std::isfinite(row.available_mib)) continue;
    const auto [place, is_new] = places.try_emplace(training_of(study.cell_of(row.cell_id).axes), tightest.size());
    if (is_new) tightest.push_back(&row);
    auto& chosen = tightest[place->second];
    if (fit_in(row) < fit_in(*chosen)) chosen = &row;
  }
  if (tightest.size() > most) tightest.resize(most);
  std::vector<std::string> sentences;
  for (const auto* row : tightest) sentences.push_back(memory_sentence(study, *row));
  return sentences;
}

namespace {

using Memory = BatchMemoryRow;
const std::array kBatchMemoryColumns{
    Column<Memory>{"cell_id", &Memory::cell_id, "the largest batch that was measured, of cells that differ in the batch alone"},
    Column<Memory>{"where", &Memory::where, "whose memory: device, or node, of which a rank has its share"},
    Column<Memory>{"world_size", &Memory::world_size, "ranks"},
    Column<Memory>{"batch_sizes", &Memory::batch_sizes, "that were measured"},
    Column<Memory>{"batch_size_per_rank", &Memory::batch_size_per_rank, "the largest of them"},
    Column<Memory>{"peak_mib", &Memory::peak_mib, "with it: the most of any rank and launch, all arms of the launch together",
                   "MiB"},
    Column<Memory>{"available_mib", &Memory::available_mib, "to a rank: metrics device_memory_mib, node_memory_mib", "MiB"},
    Column<Memory>{"fixed_mib", &Memory::fixed_mib, "least squares over the batch sizes: without any sample", "MiB"},
    Column<Memory>{"mib_per_sample", &Memory::mib_per_sample, "of the same line; empty: one batch size, or it does not grow",
                   "MiB"},
    Column<Memory>{"largest_batch", &Memory::largest_batch,
                   "per rank that fits, by the line and by what did not fit; 0: not known"},
    Column<Memory>{"did_not_fit", &Memory::did_not_fit, "the smallest batch whose launch ran out of memory; 0: none"},
};

}  // namespace

template <>
std::span<const Column<BatchMemoryRow>> columns<BatchMemoryRow>() {
  return kBatchMemoryColumns;
}

template <>
std::vector<BatchMemoryRow> make_finding(const Findings& findings) {
  return batch_memory_rows(findings.study);
}

ReportTable batch_memory_table() {
  return report_table<BatchMemoryRow>("tables/batch_memory.csv", "a group of cells that differ in the batch size per rank alone",
                                      [](const Findings& findings, auto& table) {
                                        for (const auto& row : findings.rows<BatchMemoryRow>()) table.add(row);
                                      });
}

}  // namespace ddpbench
