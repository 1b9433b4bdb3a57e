#include "suite/contract/tables/plain_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <variant>

#include "suite/base/numbers.hpp"
#include "suite/contract/tables/formula_guard.hpp"

namespace ddpbench {
namespace {

bool ends_field(char c) { return c == ',' || c == '\n'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// As parse_number reads it, but for the end, which is where the number ends. The text ends with a newline: behind every character but that
// stands another.
template <class Number>
const char* read_number(const char* at, const char* end, Number& number) {
  const char* digits = *at == '-' ? at + 1 : at;
  if (*digits == '0' && is_digit(digits[1])) return nullptr;
  const auto parsed = std::from_chars(at, end, number);
  return parsed.ec == std::errc() ? parsed.ptr : nullptr;
}

// Digits of a text that a newline ends, and how many stand behind the point.
struct Decimal {
  std::int64_t digits = 0;
  std::size_t behind_point = 0;
  const char* end = nullptr;
};

Decimal read_digits(const char* at, std::size_t most) {
  Decimal decimal;
  const char* const last = at + most;
  for (; at < last && is_digit(*at); ++at) decimal.digits = 10 * decimal.digits + (*at - '0');
  if (*at == '.') {
    const char* const point = at++;
    for (; at <= last && is_digit(*at); ++at) decimal.digits = 10 * decimal.digits + (*at - '0');
    decimal.behind_point = static_cast<std::size_t>(at - point - 1);
  }
  decimal.end = at;
  return decimal;
}

// Of at most 15 digits and divided by at most 10^22, as nearly all are: both are exact as doubles, so that their quotient is the double nearest
// to the text (Clinger, "How to read floating point numbers accurately", 1990, section 5). Else as any number.
const char* read_decimal(const char* at, const char* end, double& number) {
  constexpr std::array kPowers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::size_t kMostDigits = 15;
  const char* const begin = *at == '-' ? at + 1 : at;
  if (!is_digit(*begin)) return read_number(at, end, number);
  if (*begin == '0' && is_digit(begin[1])) return nullptr;
  auto [digits, power, behind] = read_digits(begin, kMostDigits);
  if (*behind == 'e' && behind[1] == '-' && is_digit(behind[2]) && is_digit(behind[3])) {
    power += static_cast<std::size_t>(10 * (behind[2] - '0') + (behind[3] - '0'));
    behind += 4;
  }
  if (!ends_field(*behind) || power >= kPowers.size()) return read_number(at, end, number);
  const auto value = static_cast<double>(digits) / kPowers[power];
  number = begin == at ? value : -value;
  return behind;
}

}  // namespace

template <class Row>
PlainRows<Row>::PlainRows(std::string_view csv) : begin_(csv.data()), end_(csv.data() + csv.size()), line_(begin_) {
  const auto header = csv.substr(0, csv.find('\n'));
  if (header.size() == csv.size() || !csv.ends_with('\n') || !bind(header)) return;
  line_ += header.size() + 1;
  ++number_;
}

template <class Row>
bool PlainRows<Row>::bind(std::string_view header) {
  std::set<std::string_view> names;
  for (auto rest = header; !rest.empty();) {
    const auto name = rest.substr(0, rest.find(','));
    slots_.push_back(slot_of(name));
    names.insert(name);
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  const auto& known = csv_fields<Row>();
  const bool is_whole = !header.ends_with(',') && !header.ends_with('\r') &&
                        std::all_of(known.begin(), known.end(), [&](const auto& field) { return names.contains(field.name); });
  if (!is_whole) slots_.clear();
  return is_whole;
}

template <class Row>
typename PlainRows<Row>::Slot PlainRows<Row>::slot_of(std::string_view name) {
  for (const auto& field : csv_fields<Row>()) {
    if (name != field.name) continue;
    if (const auto* text = std::get_if<std::string Row::*>(&field.member)) return {.kind = Kind::kText, .text = *text};
    if (const auto* integer = std::get_if<std::int64_t Row::*>(&field.member)) {
      return {.kind = Kind::kInteger, .integer = *integer};
    }
    if (const auto* on = std::get_if<bool Row::*>(&field.member)) return {.kind = Kind::kSwitch, .on = *on};
    return {.kind = Kind::kNumber, .number = std::get<NumberMember<Row>>(field.member)};
  }
  return {};
}

template <class Row>
bool PlainRows<Row>::next(Row& row) {
  if (slots_.empty()) return false;
  const char* at = line_;
  for (const auto& slot : slots_) {
    const char* behind = at == end_ ? nullptr : read(slot, at, row);
    if (behind == nullptr || *behind != (&slot == &slots_.back() ? '\n' : ',')) return false;
    at = behind + 1;
  }
  line_ = at;
  ++number_;
  return true;
}

// Where the field ends, or nullptr.
template <class Row>
const char* PlainRows<Row>::read(const Slot& slot, const char* at, Row& row) const {
  switch (slot.kind) {
    case Kind::kNumber: {
      auto& number = slot.number.of(row);
      number = kNotMeasured;
      return ends_field(*at) ? at : read_decimal(at, end_, number);
    }
    case Kind::kInteger: return read_number(at, end_, row.*slot.integer);
    case Kind::kSwitch: row.*slot.on = *at == '1'; return *at == '1' || *at == '0' ? at + 1 : nullptr;
    case Kind::kText: {
      const char* behind = end_of_field(at);
      if (behind != nullptr) (row.*slot.text).assign(unguarded({at, static_cast<std::size_t>(behind - at)}));
      return behind;
    }
    case Kind::kSkipped: return end_of_field(at);
  }
  return nullptr;
}

template <class Row>
const char* PlainRows<Row>::end_of_field(const char* at) const {
  if (*at == '"') return nullptr;
  while (!ends_field(*at)) {
    if (*at == '\r') return nullptr;
    ++at;
  }
  return at;
}

template class PlainRows<PlanRow>;
template class PlainRows<RunRow>;
template class PlainRows<StepRow>;
template class PlainRows<BlockRow>;
template class PlainRows<MetricRow>;
template class PlainRows<ManifestRow>;
template class PlainRows<KnownResolution>;
template class PlainRows<NodeCheckRow>;
template class PlainRows<CollectiveSampleRow>;
template class PlainRows<ProfileRow>;
template class PlainRows<TracePartRow>;
template class PlainRows<TraceMemoryRow>;
template class PlainRows<KnownBadNode>;
template class PlainRows<OverheadRow>;
template class PlainRows<ScalingRow>;

}  // namespace ddpbench
