#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds cells that differ in what makes a step longer alone: the workload, the batch size, `matmuls`. Only among these may a cost
// that was measured in one cell be carried over to another; another backend, release or number of ranks is another setting, and
// has a cost of its own. An option is a setting where it differs among the cells of one workload; else it belongs to the
// workload.
struct SettingGroup {
  std::vector<std::string> setting;  // in words: {"ddp", "gloo", …, "bucket_cap_mb=25"}
  std::vector<const Cell*> cells;    // in the study's order
};
// Puts every cell of the study into one group.
std::vector<SettingGroup> setting_groups(const Study& study);

// Says what the first is set to and the other is not: "3 nodes, mpi"; "" where nothing is.
std::string what_differs(const SettingGroup& group, const SettingGroup& other);

}  // namespace ddpbench
