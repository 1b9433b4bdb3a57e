#include "suite/store/manifest.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::int64_t kLargestManifestBytes = std::int64_t{256} << 20;  // two lines per launch

std::string hexadecimal(unsigned long sum) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08lx", sum);
  return text.data();
}

unsigned long add_to_sum(unsigned long sum, std::string_view bytes) {
  return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

ManifestRow row_of(const std::string& file, const Sum& sum, const char* state) {
  return {file, "", 0, sum.bytes, sum.crc32, state};
}

UsageError altered(const std::string& path) {
  return UsageError(path + " was altered: its checksum (the last line) does not match");
}

void require_sum(const std::string& text, const ManifestRow& last, const std::string& path) {
  const auto end = text.rfind('\n', text.size() - 2) + 1;
  std::string line;
  append_csv_row(line, row_of(kManifestFile, sum_of(std::string_view(text).substr(0, end)), manifest_state::kThere));
  if (last.file != kManifestFile || text.substr(end) != line) throw altered(path);
}

}  // namespace

Sum sum_of(std::string_view bytes) { return {static_cast<std::int64_t>(bytes.size()), hexadecimal(add_to_sum(0, bytes))}; }

Sum sum_of_stretch(const std::string& path, std::int64_t begin, std::int64_t bytes) {
  const auto file = open_regular_file(path);
  std::vector<char> buffer(kPieceBytes);
  unsigned long sum = 0;
  std::int64_t done = 0;
  while (done < bytes) {
    const auto wanted = std::min<std::int64_t>(bytes - done, static_cast<std::int64_t>(buffer.size()));
    const auto got = ::pread(file.number(), buffer.data(), static_cast<std::size_t>(wanted), begin + done);
    if (got < 0) throw file_error("cannot read", path, errno);
    if (got == 0) break;
    sum = add_to_sum(sum, {buffer.data(), static_cast<std::size_t>(got)});
    done += got;
  }
  return {done, hexadecimal(sum)};
}

Sum sum_of_file(const std::string& path) {
  return sum_of_stretch(path, 0, static_cast<std::int64_t>(std::filesystem::file_size(path)));
}

bool Manifest::is_in(const std::string& folder) { return std::filesystem::exists(folder + "/" + kManifestFile); }

Manifest Manifest::read(const std::string& folder, const std::string& name) {
  const auto path = folder + "/" + name;
  std::string text;
  try {
    text = read_file(path, kLargestManifestBytes);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  Manifest manifest;
  manifest.rows_ = read_csv_text<ManifestRow>(text, path);
  if (manifest.rows_.empty()) throw altered(path);
  require_sum(text, manifest.rows_.back(), path);
  manifest.rows_.pop_back();
  return manifest;
}

void Manifest::write(const std::string& folder, const std::string& name) const {
  auto text = csv_header<ManifestRow>();
  for (const auto& row : rows_) append_csv_row(text, row);
  append_csv_row(text, row_of(kManifestFile, sum_of(text), manifest_state::kThere));
  replace_file(folder + "/" + name, text);
}

std::vector<ManifestRow> Manifest::rows_of(const std::string& file) const {
  std::vector<ManifestRow> found;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(found), [&](const ManifestRow& row) { return row.file == file; });
  return found;
}

void Manifest::add_file(const std::string& file, const Sum& sum) { rows_.push_back(row_of(file, sum, manifest_state::kThere)); }

void Manifest::exchange(const std::string& file, const Sum& after) {
  if (rows_of(file).empty()) add_file(file, {});
  for (auto& row : rows_) {
    if (row.file == file) row.state = manifest_state::kBefore;
  }
  rows_.push_back(row_of(file, after, manifest_state::kAfter));
}

void Manifest::add_member(const std::string& file, const std::string& launch_id, std::int64_t attempt, const Sum& sum) {
  rows_.push_back({file, launch_id, attempt, sum.bytes, sum.crc32, manifest_state::kAfter});
}

void Manifest::drop(const std::set<std::string>& launch_ids) {
  for (auto& row : rows_) {
    if (launch_ids.contains(row.launch_id)) row.state = manifest_state::kDropped;
  }
}

void Manifest::keep_dropped() {
  for (auto& row : rows_) {
    if (row.state == manifest_state::kDropped) row.state = manifest_state::kThere;
  }
}

void Manifest::strike_dropped(const std::string& file) {
  std::erase_if(rows_, [&](const ManifestRow& row) { return row.file == file && row.state == manifest_state::kDropped; });
}

void Manifest::finalize() {
  std::erase_if(rows_, [](const ManifestRow& row) { return row.state == manifest_state::kBefore; });
  for (auto& row : rows_) {
    if (row.state == manifest_state::kAfter) row.state = manifest_state::kThere;
  }
}

void Manifest::give_up() {
  std::erase_if(rows_, [](const ManifestRow& row) { return !row.launch_id.empty() && row.state == manifest_state::kAfter; });
  for (auto& row : rows_) {
    if (row.state == manifest_state::kAfter) row.state = manifest_state::kBefore;
  }
}

void Manifest::pin(const std::string& file, const Sum& sum) {
  std::erase_if(rows_, [&](const ManifestRow& row) { return row.file == file; });
  if (sum != Sum{}) add_file(file, sum);
}

}  // namespace ddpbench
