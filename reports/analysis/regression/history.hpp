#pragma once
#include <string>
#include <vector>

#include "reports/analysis/regression/folder_values.hpp"

namespace ddpbench {

// Holds a folder of a history: what it is called, and what was measured.
struct HistoryEntry {
  std::string name;
  FolderValues values;
};

// Writes a CSV as Apache Otava reads it: a row for each folder, oldest first: `time` ("2026-11-27 03:14:04 +0000"), `results`,
// and a column for each figure ("cost_us.null-ddp-gloo-n1r2-fp32-b16.trainer.thread_cpu"; a cell's id says the same in every
// folder), the mean over the folder's launches. Costs alone bear a comparison of one day with another; steps stand beside them,
// for who keeps a machine for it. Clocks: the primary one of each folder, host CPU and the wall.
std::string history_csv(std::vector<HistoryEntry> entries);

// Writes what Otava needs to read the file at `csv_path` as the test `name`: a section of otava.yaml.
std::string otava_config(const std::vector<HistoryEntry>& entries, const std::string& name, const std::string& csv_path);

}  // namespace ddpbench
