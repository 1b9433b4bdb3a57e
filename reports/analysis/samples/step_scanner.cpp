#include "reports/analysis/samples/step_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <variant>

#include "suite/contract/schema.hpp"

namespace ddpbench {
namespace {

template <class Number>
const char* read_number(const char* at, const char* end, Number& number) {
  const auto parsed = std::from_chars(at, end, number);
  return parsed.ec == std::errc() ? parsed.ptr : nullptr;
}

bool ends_field(char c) { return c == ',' || c == '\n'; }

}  // namespace

StepScanner::StepScanner(const std::string& csv) : end_(csv.data() + csv.size()) {
  const auto header_length = csv.find('\n');
  if (header_length == std::string::npos || csv.back() != '\n') return;
  if (bind(std::string_view(csv).substr(0, header_length))) at_ = csv.data() + header_length + 1;
}

// False where the header lacks a column: for_each_csv_row then names what is missing.
bool StepScanner::bind(std::string_view header) {
  for (auto rest = header; !rest.empty();) {
    const auto name = rest.substr(0, rest.find(','));
    slots_.push_back(slot_of(name));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  const auto known = columns<StepRow>();
  return std::all_of(known.begin(), known.end(), [&](const auto& column) {
    const auto wanted = std::string(column.name);
    return ("," + std::string(header) + ",").find("," + wanted + ",") != std::string::npos;
  });
}

StepScanner::Slot StepScanner::slot_of(std::string_view name) {
  for (const auto& column : columns<StepRow>()) {
    if (name != column.name) continue;
    if (const auto* text = std::get_if<std::string StepRow::*>(&column.member)) {
      return {.kind = *text == &StepRow::launch_id ? Kind::kSkipped : Kind::kText, .text = *text};
    }
    if (const auto* integer = std::get_if<std::int64_t StepRow::*>(&column.member)) {
      return {.kind = Kind::kInteger, .integer = *integer};
    }
    if (const auto* on = std::get_if<bool StepRow::*>(&column.member)) return {.kind = Kind::kSwitch, .on = *on};
    return {.kind = Kind::kNumber, .number = std::get<double StepRow::*>(column.member)};
  }
  return {};
}

bool StepScanner::next(StepRow& row) {
  if (at_ == end_ || at_ == nullptr) return false;
  for (const auto& slot : slots_) {
    const char* behind = read(slot, at_, row);
    const char wanted = &slot == &slots_.back() ? '\n' : ',';
    if (behind == nullptr || *behind != wanted) {
      at_ = nullptr;
      return false;
    }
    at_ = behind + 1;
  }
  return true;
}

// Returns where the field ends, or nullptr. The text ends with a newline, so that a field's first byte can be looked at.
const char* StepScanner::read(const Slot& slot, const char* at, StepRow& row) const {
  if (at == end_) return nullptr;
  switch (slot.kind) {
    case Kind::kNumber: row.*slot.number = kNotMeasured; return ends_field(*at) ? at : read_number(at, end_, row.*slot.number);
    case Kind::kInteger: return read_number(at, end_, row.*slot.integer);
    case Kind::kSwitch: row.*slot.on = *at == '1'; return *at == '1' || *at == '0' ? at + 1 : nullptr;
    case Kind::kText: {
      const char* behind = end_of_field(at);
      if (behind != nullptr) (row.*slot.text).assign(at, behind);
      return behind;
    }
    case Kind::kSkipped: return end_of_field(at);
  }
  return nullptr;
}

const char* StepScanner::end_of_field(const char* at) const {
  if (*at == '"') return nullptr;
  while (!ends_field(*at)) ++at;
  return at;
}

}  // namespace ddpbench
