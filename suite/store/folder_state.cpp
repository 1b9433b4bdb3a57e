#include "suite/store/folder_state.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

std::int64_t size_of(const std::string& path) {
  std::error_code failed;
  const auto size = fs::file_size(path, failed);
  return failed ? -1 : static_cast<std::int64_t>(size);
}

Sum sum_in(const ManifestRow& row) { return {row.bytes, row.crc32}; }

FileState state_of(const std::string& folder, const std::string& name, const Manifest& manifest) {
  FileState state{name, manifest.rows_of(name), {}, false};
  const auto path = folder + "/" + name;
  state.is_there = fs::exists(path);
  if (!state.is_there) return state;
  std::int64_t largest = 0;
  for (const auto& row : state.allowed) largest = std::max(largest, row.bytes);
  state.found = sum_of_stretch(path, 0, largest + 1);  // a file that is longer is another one, however long
  return state;
}

// Files of profiles, each once.
std::set<std::string> traces_in(const Manifest& manifest) {
  std::set<std::string> names;
  for (const auto& row : manifest.rows()) {
    if (row.file.starts_with(std::string(folder_file::kTraces) + "/")) names.insert(row.file);
  }
  return names;
}

std::string words_for(const ManifestRow& row) {
  return row.launch_id.empty() ? "its header" : "the rows of launch " + row.launch_id;
}

}  // namespace

bool FileState::is_allowed() const {
  return std::any_of(allowed.begin(), allowed.end(), [&](const ManifestRow& row) { return sum_in(row) == found; });
}

bool FileState::is_newest() const { return is_there && !allowed.empty() && sum_in(allowed.back()) == found; }

FolderState::FolderState(const std::string& folder, const Manifest& manifest, Check check) : folder_(folder) {
  for (const auto* name :
       {folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns, folder_file::kMetrics}) {
    files_.push_back(state_of(folder, name, manifest));
  }
  for (const auto* name : folder_file::kOptional) {
    if (!manifest.rows_of(name).empty()) files_.push_back(state_of(folder, name, manifest));
  }
  for (const auto& name : traces_in(manifest)) files_.push_back(state_of(folder, name, manifest));
  for (const auto* name : folder_file::kSamples) samples_.push_back(find_members(name, manifest, check));
}

const FileState& FolderState::file(const std::string& name) const {
  return *std::find_if(files_.begin(), files_.end(), [&](const FileState& state) { return state.file == name; });
}

const SampleState& FolderState::samples(const std::string& name) const {
  return *std::find_if(samples_.begin(), samples_.end(), [&](const SampleState& state) { return state.file == name; });
}

bool FolderState::is_exchanged() const { return file(folder_file::kRuns).is_newest(); }

bool FolderState::is_exchange_told() const {
  const auto& runs = file(folder_file::kRuns);
  const auto is_the_newest = [&](const ManifestRow& row) { return sum_in(row) == sum_in(runs.allowed.back()); };
  return runs.allowed.size() == 1 || !std::all_of(runs.allowed.begin(), runs.allowed.end(), is_the_newest);
}

// A dropped member is gone where other data stands at its offset.
SampleState FolderState::find_members(const std::string& name, const Manifest& manifest, Check check) const {
  const auto path = folder_ + "/" + name;
  SampleState state{name, {}, {}, 0, size_of(path), {}};
  if (state.size < 0) {
    state.problems.push_back(path + " is missing");
    return state;
  }
  for (const auto& row : manifest.rows_of(name)) {
    const bool is_dropped = row.state == manifest_state::kDropped && is_exchanged();
    if (row.state == manifest_state::kAfter && !is_exchanged()) break;
    const bool is_computed = is_dropped || check == Check::kSums;
    const bool is_same = !is_computed || sum_of_stretch(path, state.end, row.bytes) == sum_in(row);
    if (is_dropped && !is_same) continue;
    if (state.end + row.bytes > state.size) {
      state.problems.push_back(path + " is " + std::to_string(state.end + row.bytes - state.size) + " bytes too short for " +
                               words_for(row));
      return state;
    }
    if (!is_same) {
      state.problems.push_back(path + ": " + words_for(row) + " (bytes " + std::to_string(state.end) + " to " +
                               std::to_string(state.end + row.bytes) + ") were altered: their checksum does not match");
    }
    (is_dropped ? state.dropped : state.members).push_back({row.launch_id, row.attempt, state.end, state.end + row.bytes});
    state.end += row.bytes;
  }
  if (state.size > state.end) {
    state.problems.push_back("note: " + path + " holds " + std::to_string(state.size - state.end) +
                             " unused bytes after the last stored launch (an interrupted write)");
  }
  return state;
}

std::vector<std::string> FolderState::problems_of(const FileState& file) const {
  const auto path = folder_ + "/" + file.file;
  if (!file.is_there && !file.is_allowed()) return {path + " is missing"};
  if (!file.is_allowed()) return {path + " was altered since it was written: its checksum does not match"};
  if (is_exchange_told() && is_exchanged() && !file.is_newest())
    return {path + (file.is_there ? " is older than " : " is missing: it is named beside the newest ") + folder_file::kRuns};
  return {};
}

std::vector<std::string> FolderState::problems() const {
  std::vector<std::string> all;
  for (const auto& file : files_) {
    const auto found = problems_of(file);
    all.insert(all.end(), found.begin(), found.end());
  }
  for (const auto& sample : samples_) {
    all.insert(all.end(), sample.problems.begin(), sample.problems.end());
    if (!sample.dropped.empty()) {
      all.push_back("note: " + folder_ + "/" + sample.file + " still holds rows of " + std::to_string(sample.dropped.size()) +
                    " earlier attempts; --resume removes them");
    }
  }
  return all;
}

}  // namespace ddpbench
