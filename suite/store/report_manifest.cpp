#include "suite/store/report_manifest.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/store/manifest.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportManifest = "report_manifest.csv";
constexpr std::array kFiles{"overhead.csv", "scaling.csv", "collectives.csv", "report.html", "summary.md"};
constexpr std::array kFolders{"tables", "plots"};

bool is_written_by_report(const fs::directory_entry& entry) {
  return entry.is_regular_file() && !entry.is_symlink() && !entry.path().filename().string().ends_with(kDraftSuffix);
}

std::vector<std::string> report_files(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto* name : kFiles) {
    if (fs::is_regular_file(folder / name)) files.emplace_back(name);
  }
  for (const auto* name : kFolders) {
    if (!fs::is_directory(folder / name)) continue;
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      if (is_written_by_report(entry)) files.push_back(std::string(name) + "/" + entry.path().filename().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string problem_of(const std::string& folder, const ManifestRow& row) {
  const auto path = folder + "/" + row.file;
  if (!fs::exists(path)) return path + " is missing: `report` writes it anew";
  if (sum_of_stretch(path, 0, row.bytes + 1) == Sum{row.bytes, row.crc32}) return "";
  return path + " was altered since the report was written: its checksum does not match";
}

// Leaves links alone: what they point to is not the folder's.
void remove_drafts_beneath(const fs::path& path, std::chrono::seconds age) {
  std::error_code failed;
  if (!fs::is_directory(fs::symlink_status(path, failed))) return;
  remove_drafts(path.string(), age);
  for (const auto& entry : fs::directory_iterator(path, failed)) remove_drafts_beneath(entry.path(), age);
}

}  // namespace

void remove_all_drafts(const std::string& folder, std::chrono::seconds age) {
  remove_drafts(folder, age);
  const auto remove_in = [&](const char* name) {
    const auto path = fs::path(folder) / name;
    if (fs::is_directory(fs::symlink_status(path))) remove_drafts(path, age);
  };
  for (const auto* name : kFolders) remove_in(name);
  remove_drafts_beneath(fs::path(folder) / folder_file::kTraces, age);
}

void remove_report_manifest(const std::string& folder) { fs::remove(folder + "/" + kReportManifest); }

void write_report_manifest(const std::string& folder) {
  Manifest manifest;
  for (const auto& file : report_files(folder)) manifest.add_file(file, sum_of_file(folder + "/" + file));
  manifest.write(folder, kReportManifest);
}

std::vector<std::string> report_problems(const std::string& folder) {
  if (!fs::exists(folder + "/" + kReportManifest)) return {};
  std::vector<std::string> problems;
  const auto manifest = Manifest::read(folder, kReportManifest);
  for (const auto& row : manifest.rows()) {
    const auto problem = problem_of(folder, row);
    if (!problem.empty()) problems.push_back(problem);
  }
  return problems;
}

}  // namespace ddpbench
