#include "suite/store/folder_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

#include "suite/base/durable_file.hpp"
#include "suite/store/gzip_members.hpp"
#include "suite/store/report_manifest.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kCopyBytes = std::int64_t{1} << 20;

void require_undamaged(const std::string& folder, const FolderState& state) {
  auto problems = state.problems();
  std::erase_if(problems, is_note);
  if (problems.empty()) return;
  problems.push_back(folder + " is damaged: it can be reported, but not continued: choose another --out");
  throw UsageError(problems);
}

// Somebody may remove or cut a file while the run goes on: what is put behind a gap belongs to nothing.
void require_in_place(const SampleState& state) {
  for (const auto& problem : state.problems) {
    if (!is_note(problem)) throw Error(problem + ": it was removed or cut during the run");
  }
}

void copy_stretch(const FileDescriptor& from, const Member& member, const std::string& path, const Draft& to) {
  std::vector<char> buffer(kCopyBytes);
  for (auto at = member.begin; at < member.end;) {
    const auto wanted = std::min(member.end - at, kCopyBytes);
    const auto got = ::pread(from.number(), buffer.data(), static_cast<std::size_t>(wanted), at);
    if (got < 0) throw file_error("cannot read", path, errno);
    if (got == 0) throw Error(path + " ends before its last member");
    to.write({buffer.data(), static_cast<std::size_t>(got)});
    at += got;
  }
}

void write_without_dropped(const std::string& path, const SampleState& state) {
  const auto from = open_regular_file(path);
  Draft draft(path);
  for (const auto& member : state.members) copy_stretch(from, member, path, draft);
  draft.publish();
}

}  // namespace

FolderWriter FolderWriter::begin(const std::string& folder, FolderLock lock) {
  FolderWriter writer(folder, std::move(lock));
  for (const auto* name : {folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kMetrics,
                           folder_file::kRuns, folder_file::kSteps, folder_file::kBlocks}) {
    writer.manifest_.add_file(name, sum_of_file(writer.file(name)));
  }
  writer.manifest_.write(folder);
  return writer;
}

FolderWriter FolderWriter::take_over(const std::string& folder, FolderLock lock) {
  FolderWriter writer(folder, std::move(lock));
  writer.manifest_ = Manifest::read(folder);
  const FolderState state(folder, writer.manifest_, Check::kSums);
  require_undamaged(folder, state);
  if (state.is_exchanged()) {
    writer.remove_dropped();
  } else {
    writer.manifest_.give_up();
    writer.manifest_.keep_dropped();
  }
  writer.pin_files(state);
  writer.cut_tails(FolderState(folder, writer.manifest_, Check::kPlaces));
  remove_all_drafts(folder);
  writer.finalize();
  return writer;
}

void FolderWriter::pin_files(const FolderState& state) {
  for (const auto& file : state.files()) manifest_.pin(file.file, file.found);
}

void FolderWriter::cut_tails(const FolderState& state) const {
  for (const auto* name : folder_file::kSamples) {
    const auto& sample = state.samples(name);
    if (sample.size == sample.end) continue;
    if (::truncate(file(name).c_str(), sample.end) != 0) throw file_error("cannot write", file(name), errno);
  }
}

std::int64_t FolderWriter::append(const std::string& sample_file, const std::string& launch_id, std::int64_t attempt,
                                  std::string_view text) {
  if (text.empty()) return 0;
  const FolderState state(folder_, manifest_, Check::kPlaces);
  require_in_place(state.samples(sample_file));
  const auto begin = state.samples(sample_file).end;
  const auto end = append_gzip_member(file(sample_file), begin, text);
  manifest_.add_member(sample_file, launch_id, attempt, sum_of_stretch(file(sample_file), begin, end - begin));
  return end - begin;
}

void FolderWriter::exchange(const std::map<std::string, std::string>& texts) {
  try {
    for (const auto& [name, text] : texts) {
      manifest_.exchange(name, sum_of(text));
    }
    manifest_.write(folder_);
    replace_all(texts);
  } catch (...) {
    give_up();
    throw;
  }
  manifest_.finalize();
}

// The manifest forgets them first: a file that no line names was never committed.
void FolderWriter::remove(const std::set<std::string>& files) {
  if (files.empty()) return;
  for (const auto& name : files) manifest_.pin(name, {});
  manifest_.write(folder_);
  std::error_code not_empty;
  for (const auto& name : files) {
    fs::remove(file(name), not_empty);
    for (auto inside = fs::path(name).parent_path(); !inside.empty(); inside = inside.parent_path())
      fs::remove(fs::path(folder_) / inside, not_empty);
  }
}

void FolderWriter::give_up() { manifest_.give_up(); }

void FolderWriter::replace_all(const std::map<std::string, std::string>& texts) const {
  for (const auto& [name, text] : texts) {
    if (name != folder_file::kRuns) replace_file(file(name), text);
  }
  replace_file(file(folder_file::kRuns), texts.at(folder_file::kRuns));
}

void FolderWriter::forget(const std::set<std::string>& launch_ids, const std::map<std::string, std::string>& texts) {
  manifest_.drop(launch_ids);
  try {
    exchange(texts);
  } catch (...) {
    manifest_.keep_dropped();
    throw;
  }
  remove_dropped();
}

void FolderWriter::remove_dropped() {
  const FolderState state(folder_, manifest_, Check::kPlaces);
  for (const auto* name : folder_file::kSamples) {
    const auto& sample = state.samples(name);
    if (!sample.dropped.empty()) write_without_dropped(file(name), sample);
    manifest_.strike_dropped(name);
  }
}

void FolderWriter::finalize() {
  manifest_.finalize();
  manifest_.write(folder_);
}

}  // namespace ddpbench
