#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"

namespace ddpbench {

// Holds one part file of one rank: its whole lines. Drops a last line without its newline: it was being written when the rank
// died. Takes a file that is missing for an empty one.
class PartFile {
 public:
  explicit PartFile(std::string path);

  std::size_t lines() const { return begins_.size(); }
  std::string_view line(std::size_t index) const;  // without its newline

  // Parses the line as a row. Throws Error naming file and line.
  template <class Row>
  Row row(std::size_t index) const {
    Row row;
    const auto problem = parse_csv_line(line(index), row);
    if (!problem.empty()) throw error_at(index, problem);
    return row;
  }
  Error error_at(std::size_t index, const std::string& problem) const;  // names file and line

 private:
  std::string path_;
  std::string text_;
  std::vector<std::size_t> begins_;
};

// Returns by super-block which lines of a steps or blocks part belong to it. Reads nothing but that number.
std::map<std::int64_t, std::vector<std::size_t>> lines_by_super_block(const PartFile& part);

}  // namespace ddpbench
