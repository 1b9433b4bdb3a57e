#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Holds what a rank took of the memory that it has, over cells that differ in the batch size per rank alone, and the batch at
// which that memory ends. A launch holds all its arms, so an arm alone needs less.
struct BatchMemoryRow {
  std::string cell_id;  // the largest batch that was measured
  std::string where;    // "device", or "node": there a rank has its share
  std::int64_t world_size = 1, batch_sizes = 0, batch_size_per_rank = 0;
  double peak_mib = kNotMeasured;  // with that batch; the most of any rank and launch
  double available_mib = kNotMeasured;
  double fixed_mib = kNotMeasured,
         mib_per_sample = kNotMeasured;  // least squares over the batch sizes; not a number: one batch, or it does not grow
  std::int64_t largest_batch = 0;        // that fits, by that line and by what did not fit; 0: not known
  std::int64_t did_not_fit = 0;          // the smallest whose launch ended with "out of memory"; 0: none
};

// Makes the rows in the order of their axes. Leaves out groups without a measured memory.
std::vector<BatchMemoryRow> batch_memory_rows(const Study& study);
template <>
std::vector<BatchMemoryRow> make_finding(const Findings& findings);

// Returns a sentence for each training (workload, strategy, precision, options), of the size at which fewest samples fit; at most
// `most`.
std::vector<std::string> memory_sentences(const Study& study, const std::vector<BatchMemoryRow>& rows, std::size_t most);

}  // namespace ddpbench
