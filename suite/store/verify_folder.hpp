#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Everything that is wrong with a results folder, a sentence each, naming file and place; empty: it is whole. Checked are: the
// files, the schema, checksums, headers, that every row parses, counts against the plan, committed lengths, and the gzip
// members. A sentence that begins with "note: " is no fault (the tail that an interrupted run leaves, which --resume drops).
// Throws UsageError where `path` is no folder.
std::vector<std::string> verify_results_folder(const std::string& path);

// The same of what is there: launches that never ran, and what a report wrote into the folder, are left out.
std::vector<std::string> verify_samples(const std::string& path);

}  // namespace ddpbench
