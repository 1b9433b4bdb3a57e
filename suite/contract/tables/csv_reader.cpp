#include "suite/contract/tables/csv_reader.hpp"

#include <algorithm>

#include "csv.h"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/tables/formula_guard.hpp"
#include "suite/contract/tables/plain_rows.hpp"

namespace ddpbench {
namespace {

// The fields of one line, RFC 4180: a field that begins with a quote ends with one, and "" inside it is one quote.
class FieldSplitter {
 public:
  explicit FieldSplitter(std::string_view line) : rest_(line) {}

  bool next(std::string_view& field) {
    if (done_) return false;
    if (!rest_.empty() && rest_.front() == '"') {
      field = quoted();
    } else {
      field = rest_.substr(0, rest_.find(','));
      rest_.remove_prefix(field.size());
    }
    step_over_comma();
    return true;
  }
  const char* problem() const { return problem_; }

 private:
  std::string_view quoted() {
    unquoted_.clear();
    std::size_t at = 1;
    while (true) {
      const auto quote = rest_.find('"', at);
      if (quote == std::string_view::npos) return fail("a quote is not closed");
      unquoted_.append(rest_.substr(at, quote - at));
      at = quote + 1;
      if (at == rest_.size() || rest_[at] != '"') break;
      unquoted_ += '"';
      ++at;
    }
    rest_.remove_prefix(at);
    return unquoted_;
  }
  std::string_view fail(const char* problem) {
    problem_ = problem;
    rest_ = {};
    done_ = true;
    return {};
  }
  void step_over_comma() {
    done_ = rest_.empty();
    if (done_) return;
    if (rest_.front() == ',') {
      rest_.remove_prefix(1);
    } else {
      fail("text comes after a closing quote");
    }
  }

  std::string_view rest_;
  std::string unquoted_;
  const char* problem_ = "";
  bool done_ = false;
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
  const char* operator()(double Row::*member) const {
    row.*member = kNotMeasured;
    return text.empty() || whole_number(text, row.*member) ? nullptr : "a number";
  }
};

template <class Row>
using Binding = std::vector<const Column<Row>*>;  // by position in the line; nullptr: a column that this version does not know

template <class Row>
std::string parse_fields(std::string_view line, std::span<const Column<Row>* const> binding, Row& row) {
  FieldSplitter fields(line);
  std::string_view field;
  std::size_t count = 0;
  while (fields.next(field)) {
    if (*fields.problem() != '\0') return fields.problem();
    const auto* column = count < binding.size() ? binding[count] : nullptr;
    ++count;
    if (column == nullptr) continue;
    const char* expected = std::visit(CellReader<Row>{field, row}, column->member);
    if (expected != nullptr) return "column " + std::string(column->name) + ": '" + std::string(field) + "' is not " + expected;
  }
  if (count == binding.size()) return "";
  return std::to_string(count) + " fields where the header has " + std::to_string(binding.size());
}

template <class Row>
Binding<Row> bind_header(std::string_view header, const std::string& origin) {
  Binding<Row> binding;
  FieldSplitter fields(header);
  std::string_view name;
  while (fields.next(name)) {
    const auto known = columns<Row>();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& column) { return name == column.name; });
    binding.push_back(found == known.end() ? nullptr : &*found);
  }
  std::vector<std::string> missing;
  for (const auto& column : columns<Row>()) {
    if (std::find(binding.begin(), binding.end(), &column) == binding.end()) {
      missing.push_back(origin + ":1: column " + column.name + " is missing");
    }
  }
  if (!missing.empty()) throw UsageError(missing);
  return binding;
}

template <class Row>
Binding<Row> schema_binding() {
  Binding<Row> binding;
  for (const auto& column : columns<Row>()) binding.push_back(&column);
  return binding;
}

template <class Row>
void read_rows(io::LineReader& lines, const std::string& origin, const Binding<Row>& binding,
               const std::function<void(const Row&)>& each) {
  Row row;
  while (const char* line = lines.next_line()) {
    const auto problem = parse_fields<Row>(line, binding, row);
    if (!problem.empty()) throw UsageError(origin + ":" + std::to_string(lines.get_file_line()) + ": " + problem);
    each(row);
  }
}

// Far more than a row has; LineReader's own bound is 16 MiB, and it names no line beyond it.
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20U;

void require_bounded_lines(const std::string& text, const std::string& origin) {
  std::size_t begin = 0;
  for (std::size_t line = 1; begin < text.size(); ++line) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (end - begin > kMaxLineBytes) {
      throw UsageError(origin + ":" + std::to_string(line) + ": the line has " + std::to_string(end - begin) +
                       " bytes: at most " + std::to_string(kMaxLineBytes) + " are read");
    }
    begin = end + 1;
  }
}

// Lines come as C strings, so that what follows a byte 0 would be dropped unseen; a carriage return belongs before a newline.
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

}  // namespace

template <class Row>
std::string parse_csv_line(std::string_view line, Row& row) {
  static const auto binding = schema_binding<Row>();
  return parse_fields<Row>(line, binding, row);
}

template <class Row>
void for_each_csv_row(const std::string& text, const std::string& origin, const std::function<void(const Row&)>& each) {
  // LineReader looks one byte past a last line that has no newline.
  if (!text.empty() && text.back() != '\n') return for_each_csv_row<Row>(text + '\n', origin, each);
  require_text(text, origin);
  require_bounded_lines(text, origin);
  PlainRows<Row> plain(text);
  Row row;
  while (plain.next(row)) each(row);
  if (!text.empty() && plain.offset() == text.size()) return;
  // It takes 48 MiB: where all rows are plain, which is nearly always, there is none.
  io::LineReader rest(origin, text.data() + plain.offset(), text.data() + text.size());
  rest.set_file_line(static_cast<unsigned>(plain.line() - 1));
  const bool is_plain_header = plain.offset() > 0;
  const char* header = is_plain_header ? text.data() : rest.next_line();
  if (header == nullptr) throw UsageError(origin + " is empty: its header line is missing");
  const std::string_view header_line = header;
  read_rows<Row>(rest, origin, bind_header<Row>(header_line.substr(0, header_line.find('\n')), origin), each);
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
DDPBENCH_CSV_READER(KnownBadNode);
DDPBENCH_CSV_READER(OverheadRow);
DDPBENCH_CSV_READER(ScalingRow);
#undef DDPBENCH_CSV_READER

}  // namespace ddpbench
