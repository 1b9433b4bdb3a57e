#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/tables/csv_fields.hpp"

namespace ddpbench {

// Reads the rows of a CSV text that are as plain as a run writes them, several times faster than a reader that knows everything:
// it stops at the first line that is not (a quoted field, a carriage return, a field that is not of its column's type, a field
// too many or too few) and names no mistake. for_each_csv_row reads on from there.
template <class Row>
class PlainRows {
 public:
  // Takes a text with its header first, which ends with a newline and must outlive the reader.
  explicit PlainRows(std::string_view csv);

  // Returns false at the text's end, or at a line that is not plain.
  bool next(Row& row);

  // Returns where the next line begins; line() gives its number, from 1. Both stay at the beginning where the header itself is
  // not plain.
  std::size_t offset() const { return static_cast<std::size_t>(line_ - begin_); }
  std::size_t line() const { return number_; }

 private:
  enum class Kind { kSkipped, kText, kInteger, kSwitch, kNumber };
  struct Slot {
    Kind kind = Kind::kSkipped;
    std::string Row::*text = nullptr;
    std::int64_t Row::*integer = nullptr;
    bool Row::*on = nullptr;
    NumberMember<Row> number{};
  };
  static Slot slot_of(std::string_view name);
  bool bind(std::string_view header);
  const char* read(const Slot& slot, const char* at, Row& row) const;
  const char* end_of_field(const char* at) const;

  std::vector<Slot> slots_;  // by position in the line; none: the header is not plain
  const char* begin_;
  const char* end_;
  const char* line_;
  std::size_t number_ = 1;
};

}  // namespace ddpbench
