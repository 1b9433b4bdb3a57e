#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace ddpbench {

// Keeps report_manifest.csv: what a report wrote into its folder, with checksums, so that an altered figure is found as an
// altered sample is.

// Does remove_drafts for a results folder, and for the folders in it that reports write.
void remove_all_drafts(const std::string& folder, std::chrono::seconds age = {});

// Removes the report's manifest before a report writes: the files are being replaced.
void remove_report_manifest(const std::string& folder);

// Writes the manifest after the report, of the tables, plots and pages that stand there now. Throws Error with the system's
// reason.
void write_report_manifest(const std::string& folder);

// Lists what differs from the manifest, a sentence each; none where there is no manifest.
std::vector<std::string> report_problems(const std::string& folder);

}  // namespace ddpbench
