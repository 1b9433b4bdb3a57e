#include "suite/contract/tables/csv_reader.hpp"

#include <csv.h>

#include <algorithm>
#include <new>
#include <span>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/tables/csv_fields.hpp"
#include "suite/contract/tables/formula_guard.hpp"
#include "suite/contract/tables/plain_rows.hpp"

namespace ddpbench {
namespace {

// Splits a line into its fields by libcsv: RFC 4180 in its strict mode, where no blank is cut away. Serves one line after another.
class FieldSplitter {
 public:
  FieldSplitter() {
    constexpr auto kNoByte = [](unsigned char) { return 0; };
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw Error("libcsv does not start");
    csv_set_space_func(&parser_, kNoByte);
    csv_set_term_func(&parser_, kNoByte);
  }
  FieldSplitter(const FieldSplitter&) = delete;
  FieldSplitter& operator=(const FieldSplitter&) = delete;
  ~FieldSplitter() { csv_free(&parser_); }

  // Returns "" or what is wrong with the line. Takes one without its newline. After a mistake the splitter is of no further use.
  std::string split(std::string_view line) {
    count_ = 0;
    const auto bytes = csv_parse(&parser_, line.data(), line.size(), take_field, nullptr, this);
    if (csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
    if (bytes != line.size()) return "a quote stands inside a field, or text comes after a closing quote";
    return csv_fini(&parser_, take_field, nullptr, this) == 0 ? "" : "a quote is not closed";
  }
  std::span<const std::string> fields() const { return std::span(fields_).first(count_); }

 private:
  static void take_field(void* text, std::size_t size, void* self) {
    auto& splitter = *static_cast<FieldSplitter*>(self);
    if (splitter.count_ == splitter.fields_.size()) splitter.fields_.emplace_back();
    splitter.fields_[splitter.count_++].assign(static_cast<const char*>(text), size);
  }

  csv_parser parser_{};
  std::vector<std::string> fields_;  // of the longest line so far: the first count_ are of this one
  std::size_t count_ = 0;
};

template <class Number>
bool whole_number(std::string_view text, Number& value) {
  const auto parsed = parse_number<Number>(text);
  if (parsed) value = *parsed;
  return parsed.has_value();
}

// Stores a field in the row's member; returns what the field had to be, or nullptr.
template <class Row>
struct CellReader {
  std::string_view text;
  Row& row;
  const char* operator()(std::string Row::*member) const {
    (row.*member).assign(unguarded(text));
    return nullptr;
  }
  const char* operator()(std::int64_t Row::*member) const { return whole_number(text, row.*member) ? nullptr : "an integer"; }
  const char* operator()(bool Row::*member) const {
    row.*member = text == "1";
    return text == "1" || text == "0" ? nullptr : "0 or 1";
  }
  const char* operator()(const NumberMember<Row>& member) const {
    member.of(row) = kNotMeasured;
    return text.empty() || whole_number(text, member.of(row)) ? nullptr : "a number";
  }
};

template <class Row>
using Binding = std::vector<const CsvField<Row>*>;  // by position in the line; nullptr: a column that this version does not know

template <class Row>
std::string parse_fields(std::span<const std::string> fields, std::span<const CsvField<Row>* const> binding, Row& row) {
  if (fields.size() != binding.size()) {
    return std::to_string(fields.size()) + " fields where the header has " + std::to_string(binding.size());
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (binding[i] == nullptr) continue;
    const char* expected = std::visit(CellReader<Row>{fields[i], row}, binding[i]->member);
    if (expected != nullptr) return "column " + binding[i]->name + ": '" + fields[i] + "' is not " + expected;
  }
  return "";
}

template <class Row>
Binding<Row> bind_header(std::span<const std::string> names, const std::string& origin) {
  Binding<Row> binding;
  for (const auto& name : names) {
    const auto& known = csv_fields<Row>();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& field) { return name == field.name; });
    binding.push_back(found == known.end() ? nullptr : &*found);
  }
  std::vector<std::string> missing;
  for (const auto& field : csv_fields<Row>()) {
    if (std::find(binding.begin(), binding.end(), &field) == binding.end()) {
      missing.push_back(origin + ":1: column " + field.name + " is missing");
    }
  }
  if (!missing.empty()) throw UsageError(missing);
  return binding;
}

template <class Row>
Binding<Row> schema_binding() {
  Binding<Row> binding;
  for (const auto& field : csv_fields<Row>()) binding.push_back(&field);
  return binding;
}

// Gives the lines of a text in turn, without what ends them.
class Lines {
 public:
  Lines(std::string_view text, std::size_t first_number) : rest_(text), number_(first_number - 1) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const auto size = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, size);
    rest_.remove_prefix(std::min(size + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_;
};

// No row holds a byte 0; a carriage return belongs before a newline.
void require_text(const std::string& text, const std::string& origin) {
  auto at = text.find('\0');
  for (auto found = text.find('\r'); at == std::string::npos && found != std::string::npos; found = text.find('\r', found + 1)) {
    if (found + 1 < text.size() && text[found + 1] != '\n') at = found;
  }
  if (at == std::string::npos) return;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw UsageError(origin + ":" + std::to_string(line) + ": a control character stands in the text (byte " + std::to_string(at) +
                   ")");
}

// Reads the rows of a text, or those from where `plain` stopped.
template <class Row>
void read_rows(std::string_view text, const PlainRows<Row>& plain, const std::string& origin,
               const std::function<void(const Row&)>& each) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some spreadsheets begin with it
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  FieldSplitter splitter;
  const auto split = [&](std::string_view line, std::size_t number) {
    const auto problem = splitter.split(line);
    if (!problem.empty()) throw UsageError(origin + ":" + std::to_string(number) + ": " + problem);
    return splitter.fields();
  };
  Lines lines(text, 1);
  std::string_view line;
  if (!lines.next(line)) throw UsageError(origin + " is empty: its header line is missing");
  const auto binding = bind_header<Row>(split(line, 1), origin);
  if (plain.offset() > 0) lines = Lines(text.substr(plain.offset()), plain.line());
  Row row;
  while (lines.next(line)) {
    const auto problem = parse_fields<Row>(split(line, lines.number()), binding, row);
    if (!problem.empty()) throw UsageError(origin + ":" + std::to_string(lines.number()) + ": " + problem);
    each(row);
  }
}

}  // namespace

template <class Row>
std::string parse_csv_line(std::string_view line, Row& row) {
  static const auto binding = schema_binding<Row>();
  FieldSplitter splitter;
  const auto problem = splitter.split(line);
  return problem.empty() ? parse_fields<Row>(splitter.fields(), binding, row) : problem;
}

template <class Row>
void for_each_csv_row(const std::string& text, const std::string& origin, const std::function<void(const Row&)>& each) {
  // PlainRows takes whole lines.
  if (!text.empty() && text.back() != '\n') return for_each_csv_row<Row>(text + '\n', origin, each);
  require_text(text, origin);
  PlainRows<Row> plain(text);
  Row row;
  while (plain.next(row)) each(row);
  if (text.empty() || plain.offset() < text.size()) read_rows<Row>(text, plain, origin, each);
}

template <class Row>
std::vector<Row> read_csv_text(const std::string& text, const std::string& origin) {
  std::vector<Row> rows;
  for_each_csv_row<Row>(text, origin, [&](const Row& row) { rows.push_back(row); });
  return rows;
}

template <class Row>
std::vector<Row> read_csv_file(const std::string& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  return read_csv_text<Row>(text, path);
}

#define DDPBENCH_CSV_READER(Row)                                                                                       \
  template void for_each_csv_row<Row>(const std::string&, const std::string&, const std::function<void(const Row&)>&); \
  template std::vector<Row> read_csv_text<Row>(const std::string&, const std::string&);                                \
  template std::vector<Row> read_csv_file<Row>(const std::string&);                                                    \
  template std::string parse_csv_line<Row>(std::string_view, Row&)
DDPBENCH_CSV_READER(PlanRow);
DDPBENCH_CSV_READER(RunRow);
DDPBENCH_CSV_READER(StepRow);
DDPBENCH_CSV_READER(BlockRow);
DDPBENCH_CSV_READER(MetricRow);
DDPBENCH_CSV_READER(ManifestRow);
DDPBENCH_CSV_READER(KnownResolution);
DDPBENCH_CSV_READER(NodeCheckRow);
DDPBENCH_CSV_READER(CollectiveSampleRow);
DDPBENCH_CSV_READER(ProfileRow);
DDPBENCH_CSV_READER(TracePartRow);
DDPBENCH_CSV_READER(TraceMemoryRow);
DDPBENCH_CSV_READER(KnownBadNode);
DDPBENCH_CSV_READER(OverheadRow);
DDPBENCH_CSV_READER(ScalingRow);
#undef DDPBENCH_CSV_READER

}  // namespace ddpbench
