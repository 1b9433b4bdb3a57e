#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace ddpbench {

// report_manifest.csv: what a report wrote into its folder, with checksums, so that an altered figure is found as an altered sample is.

// remove_drafts of a results folder, and of the folders in it that reports write.
void remove_all_drafts(const std::string& folder, std::chrono::seconds age = {});

// Before a report writes: the files are being replaced.
void remove_report_manifest(const std::string& folder);

// After it: of the tables, plots and pages that stand there now. Throws Error with the system's reason.
void write_report_manifest(const std::string& folder);

// What differs from the manifest, a sentence each; none where there is no manifest.
std::vector<std::string> report_problems(const std::string& folder);

}  // namespace ddpbench
