#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds how long launches of one size take from their start to their first step (seconds_to_first_step_of_launch), over cells
// that differ in nodes and ranks per node alone.
struct StartUpRow {
  std::string group;  // what tells the cells from others: "null, ddp, gloo"; the batch size per rank is the first cell's
  std::string cell_id;
  std::int64_t nodes = 1, ranks_per_node = 1, world_size = 1;
  double seconds = kNotMeasured, shortest_s = kNotMeasured,
         longest_s = kNotMeasured;  // of ranks and launches; `seconds`: their median
  std::int64_t launches = 0;
  // p of seconds ~ ranks^p, least squares through the logarithms of the group's sizes; not a number: fewer than two sizes.
  double growth = kNotMeasured;
};

// Makes the rows group by group in the order of their axes, the smallest size first. Leaves out cells that were not measured.
std::vector<StartUpRow> start_up_rows(const Study& study);

}  // namespace ddpbench
