#include "suite/contract/toml_bounds.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

// Walks over a text as TOML's lexer does: comments and quoted texts are stepped over, brackets, dots and equal signs are counted.
class BoundsScanner {
 public:
  BoundsScanner(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  void scan() {
    while (at_ < text_.size()) look_at(text_[at_]);
  }

 private:
  void look_at(char c) {
    if (c == '#') return step_over_comment();
    if (c == '"' || c == '\'') return step_over_quoted(c);
    ++at_;
    if (c == '.') return count(++parts_, kMaxTomlDepth, " parts of one dotted key");
    if (c != ' ' && c != '\t' && !continues_key(c)) parts_ = 1;
    if (c == '=' || (c == '[' && depth_ == 0)) count(++keys_, kMaxTomlKeys, " keys and tables");
    if (c == '[' || c == '{') count(++depth_, kMaxTomlDepth, " brackets within each other");
    if (c == ']' || c == '}') depth_ -= depth_ > 0 ? 1 : 0;
  }

  static bool continues_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }

  void step_over_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  // "…", '…' and, on several lines, """…""" and '''…'''. A text on one line that is not closed ends with its line.
  void step_over_quoted(char quote) {
    const bool many_lines = text_.substr(at_, 3) == std::string(3, quote);
    const auto closing = std::string(many_lines ? 3 : 1, quote);
    at_ += closing.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(closing)) {
      if (text_[at_] == '\n' && !many_lines) return;
      at_ += text_[at_] == '\\' && quote == '"' ? 2 : 1;
    }
    at_ = std::min(at_ + closing.size(), text_.size());
    // """a"""" ends with a quote of its own before the closing ones: up to two of them.
    for (int more = 0; many_lines && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
  }

  void count(std::size_t number, std::size_t bound, const char* of_what) const {
    if (number <= bound) return;
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw UsageError(origin_ + ":" + std::to_string(line) + ": more than " + std::to_string(bound) + of_what);
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0, depth_ = 0, keys_ = 0;
  std::size_t parts_ = 1;  // of the key at hand
};

// TOML has none but tab and the ends of lines; some builds of the parser stop the program at a byte 0.
void require_no_control(std::string_view text, const std::string& origin) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; };
  const auto found = std::find_if(text.begin(), text.end(), is_control);
  if (found == text.end()) return;
  const auto line = 1 + std::count(text.begin(), found, '\n');
  throw UsageError(origin + ":" + std::to_string(line) + ": a control character (byte " +
                   std::to_string(static_cast<int>(static_cast<unsigned char>(*found))) + ") stands in the text");
}

}  // namespace

void require_bounded_toml(std::string_view text, const std::string& origin) {
  if (text.size() > kMaxTomlBytes) {
    throw UsageError(origin + " has " + std::to_string(text.size()) + " bytes: at most " + std::to_string(kMaxTomlBytes) +
                     " are read");
  }
  require_no_control(text, origin);
  BoundsScanner(text, origin).scan();
}

}  // namespace ddpbench
