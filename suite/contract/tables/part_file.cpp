#include "suite/contract/tables/part_file.hpp"

#include <charconv>
#include <filesystem>

#include "suite/base/durable_file.hpp"

namespace ddpbench {
namespace {

std::string read_whole_lines(const std::string& path) {
  if (!std::filesystem::exists(path)) return "";
  auto text = read_file(path);
  text.resize(text.rfind('\n') + 1);  // npos + 1 is 0: no whole line
  return text;
}

// The second column of steps and of blocks; launch ids hold no comma.
std::int64_t super_block_of(std::string_view line) {
  line.remove_prefix(line.find(',') + 1);
  std::int64_t number = -1;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

}  // namespace

PartFile::PartFile(std::string path) : path_(std::move(path)), text_(read_whole_lines(path_)) {
  for (std::size_t begin = 0; begin < text_.size(); begin = text_.find('\n', begin) + 1) begins_.push_back(begin);
}

std::string_view PartFile::line(std::size_t index) const {
  const auto begin = begins_[index];
  const auto end = index + 1 < begins_.size() ? begins_[index + 1] : text_.size();
  return std::string_view(text_).substr(begin, end - begin - 1);
}

Error PartFile::error_at(std::size_t index, const std::string& problem) const {
  return Error(path_ + ":" + std::to_string(index + 1) + ": " + problem);
}

std::map<std::int64_t, std::vector<std::size_t>> lines_by_super_block(const PartFile& part) {
  std::map<std::int64_t, std::vector<std::size_t>> lines;
  for (std::size_t i = 0; i < part.lines(); ++i) lines[super_block_of(part.line(i))].push_back(i);
  return lines;
}

}  // namespace ddpbench
