#include "suite/store/merge_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/launch/samples_per_step.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/metrics.hpp"
#include "suite/contract/tables/part_file.hpp"
#include "suite/contract/tables/repeated_blocks.hpp"
#include "suite/store/arm_order.hpp"

namespace ddpbench {
namespace {

// A steps or blocks part with its lines sorted by super-block.
struct Samples {
  explicit Samples(const std::string& path) : file(path), super_blocks(lines_by_super_block(file)) {}
  const std::vector<std::size_t>& lines(std::int64_t super_block) const {
    static const std::vector<std::size_t> none;
    const auto found = super_blocks.find(super_block);
    return found == super_blocks.end() ? none : found->second;
  }
  PartFile file;
  std::map<std::int64_t, std::vector<std::size_t>> super_blocks;
};

struct RankParts {
  RankParts(const std::string& part_dir, std::int64_t rank)
      : steps(steps_part(part_dir, rank)), blocks(blocks_part(part_dir, rank)), metrics(metrics_part(part_dir, rank)) {}
  Samples steps, blocks;
  PartFile metrics;
};

std::vector<RankParts> read_parts(const LaunchSpec& spec) {
  std::vector<RankParts> ranks;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) ranks.emplace_back(spec.part_dir, rank);
  return ranks;
}

// `blocks`: of all arms in a super-block.
bool complete(const LaunchSpec& spec, const RankParts& rank, std::int64_t super_block, std::int64_t blocks) {
  const auto step_rows = blocks * (discarded_steps(spec.seed, super_block) + spec.protocol.block_steps);
  return rank.steps.lines(super_block).size() == static_cast<std::size_t>(step_rows) &&
         rank.blocks.lines(super_block).size() == static_cast<std::size_t>(blocks);
}

std::vector<std::int64_t> complete_super_blocks(const LaunchSpec& spec, const std::vector<RankParts>& ranks,
                                                std::int64_t blocks) {
  std::vector<std::int64_t> kept;
  for (const auto& [number, lines] : ranks.front().steps.super_blocks) {
    const auto whole = [&, n = number](const RankParts& rank) { return complete(spec, rank, n, blocks); };
    if (number > 0 && std::all_of(ranks.begin(), ranks.end(), whole)) kept.push_back(number);
  }
  return kept;
}

double median_of_measured(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return median(std::move(values));
}

// What one arm's rows add up to. Times are of the slowest rank, by step.
class ArmSummary {
 public:
  // `blocks`: of the arm in each of the kept super-blocks.
  ArmSummary(std::size_t super_blocks, std::int64_t blocks, std::int64_t block_steps)
      : blocks_(static_cast<std::size_t>(blocks)),
        block_steps_(static_cast<std::size_t>(block_steps)),
        wall_s_(super_blocks * blocks_ * block_steps_, kNotMeasured),
        thread_cpu_s_(wall_s_),
        device_s_(super_blocks * blocks_, kNotMeasured) {}

  // `position`: of the row's super-block among the kept ones.
  void add(const StepRow& row, std::size_t position) {
    const auto block = position * blocks_ + static_cast<std::size_t>(repeated_.place_of(row));
    if (row.discarded) {
      if (row.rank == 0 && row.step == 0) add_loss(row.loss);
    } else if (row.step >= 1 && row.step <= static_cast<std::int64_t>(block_steps_)) {
      const auto step = block * block_steps_ + static_cast<std::size_t>(row.step - 1);
      if (step >= wall_s_.size()) return;                    // a block too many: it is said by verify
      wall_s_[step] = std::fmax(wall_s_[step], row.step_s);  // fmax: what was not measured gives way
      thread_cpu_s_[step] = std::fmax(thread_cpu_s_[step], row.thread_cpu_s);
    }
  }

  // The block's time on the device, of the slowest rank.
  void add(const BlockRow& row, std::size_t position) {
    const auto block = position * blocks_ + static_cast<std::size_t>(repeated_in_blocks_.place_of(row));
    if (block >= device_s_.size()) return;
    device_s_[block] = std::fmax(device_s_[block], row.device_s / static_cast<double>(block_steps_));
  }

  // A step is what the user waits for: on the device's clock where it was measured, for there the host only enqueues.
  void fill(RunRow& row, std::int64_t samples_per_step) const {
    const auto on_device_s = median_of_measured(device_s_);
    const auto step_s = std::isnan(on_device_s) ? median_of_measured(wall_s_) : on_device_s;
    row.steps = static_cast<std::int64_t>(wall_s_.size());
    row.samples_per_s = static_cast<double>(samples_per_step) / step_s;
    row.step_ms_p50 = 1e3 * step_s;
    row.thread_cpu_ms_p50 = 1e3 * median_of_measured(thread_cpu_s_);
    row.loss_first = loss_first_;
    row.loss_last = loss_last_;
  }

 private:
  void add_loss(double loss) {
    if (std::isnan(loss_first_)) loss_first_ = loss;
    loss_last_ = loss;
  }

  RepeatedBlocks repeated_, repeated_in_blocks_;
  std::size_t blocks_, block_steps_;
  std::vector<double> wall_s_, thread_cpu_s_;  // of steps
  std::vector<double> device_s_;               // of a block's steps, mean
  double loss_first_ = kNotMeasured, loss_last_ = kNotMeasured;
};

RunRow identity(const LaunchSpec& spec, const std::string& arm) {
  RunRow row;
  row.axes() = spec.axes();
  row.launch_id = spec.launch_id;
  row.cell_id = spec.cell_id;
  row.arm = arm;
  row.repetition = spec.repetition;
  return row;
}

class Merger {
 public:
  Merger(const LaunchSpec& spec, const std::vector<ArmFacts>& arms) : spec_(spec), launch_(arms), ranks_(read_parts(spec)) {
    const auto blocks = blocks_in_super_block(arms);
    kept_ = complete_super_blocks(spec, ranks_, std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0}));
    for (const auto of_arm : blocks) arms_.emplace_back(kept_.size(), of_arm, spec.protocol.block_steps);
  }

  LaunchResult merge() {
    add_super_block(0, 0);
    for (std::size_t position = 0; position < kept_.size(); ++position) add_super_block(kept_[position], position);
    for (const auto& rank : ranks_) {
      for (std::size_t i = 0; i < rank.metrics.lines(); ++i) result_.metrics.push_back(rank.metrics.row<MetricRow>(i));
    }
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) result_.runs.push_back(run_row(arm));
    return std::move(result_);
  }

 private:
  void add_super_block(std::int64_t number, std::size_t position) {
    for (const auto& rank : ranks_) {
      for (const auto i : rank.steps.lines(number)) add_step(rank.steps.file, i, position);
      for (const auto i : rank.blocks.lines(number)) add_block(rank.blocks.file, i, position);
    }
  }

  // Stores the line as the rank wrote it, once it is known to be a row of this launch.
  template <class Row>
  Row keep(const PartFile& file, std::size_t line, std::string& csv) const {
    auto row = file.row<Row>(line);
    if (row.launch_id != spec_.launch_id)
      throw file.error_at(line, "a row of launch " + row.launch_id + ", not " + spec_.launch_id);
    csv.append(file.line(line));
    csv += '\n';
    return row;
  }

  // All ranks must have run the same arm in a block: what its collectives joined were the steps of different arms otherwise.
  template <class Row>
  void require_one_arm(const PartFile& file, std::size_t line, const Row& row, ArmOrder& order) const {
    const auto problem = order.problem_of(row);
    if (!problem.empty()) throw file.error_at(line, problem);
  }

  void add_block(const PartFile& file, std::size_t line, std::size_t position) {
    const auto row = keep<BlockRow>(file, line, result_.blocks_csv);
    require_one_arm(file, line, row, order_of_blocks_);
    if (row.super_block > 0) summary_of(row.arm, file, line).add(row, position);
  }

  ArmSummary& summary_of(const std::string& name, const PartFile& file, std::size_t line) {
    const auto arm = std::find(spec_.arms.begin(), spec_.arms.end(), name);
    if (arm == spec_.arms.end()) throw file.error_at(line, "arm '" + name + "' is not one of launch " + spec_.launch_id);
    return arms_[static_cast<std::size_t>(arm - spec_.arms.begin())];
  }

  void add_step(const PartFile& file, std::size_t line, std::size_t position) {
    const auto row = keep<StepRow>(file, line, result_.steps_csv);
    require_one_arm(file, line, row, order_of_steps_);
    auto& summary = summary_of(row.arm, file, line);
    if (row.super_block > 0) summary.add(row, position);
  }

  RunRow run_row(std::size_t arm) const {
    auto row = identity(spec_, spec_.arms[arm]);
    row.super_blocks = static_cast<std::int64_t>(kept_.size());
    arms_[arm].fill(row, launch_[arm].micro_batches * samples_per_step(spec_, spec_.options[OptionGroup::kStrategy]));
    if (launch_[arm].has_own_batches()) row.samples_per_s = kNotMeasured;
    for (const auto& metric : result_.metrics) {
      if (metric.metric == kMetrics.peak_memory.name) row.peak_memory_mib = std::fmax(row.peak_memory_mib, metric.value);
    }
    return row;
  }

  const LaunchSpec& spec_;
  const std::vector<ArmFacts>& launch_;
  std::vector<RankParts> ranks_;
  std::vector<std::int64_t> kept_;
  std::vector<ArmSummary> arms_;
  ArmOrder order_of_steps_, order_of_blocks_;
  LaunchResult result_;
};

}  // namespace

LaunchResult merge_parts(const LaunchSpec& spec, const std::vector<ArmFacts>& arms) {
  if (spec.world_size() < 1) throw Error("launch " + spec.launch_id + " has no ranks");
  if (arms.size() != spec.arms.size()) throw Error("launch " + spec.launch_id + ": not as many facts of arms as arms");
  return Merger(spec, arms).merge();
}

}  // namespace ddpbench
