#include "suite/plan/constraint_tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

using Kind = ConstraintToken::Kind;

// Longer ones first: "<=" is not "<".
constexpr std::array<std::string_view, 13> kSymbols{"==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")"};

// What other languages write.
constexpr std::array<std::pair<std::string_view, const char*>, 6> kForeign{{{"&&", "write 'and'"},
                                                                            {"||", "write 'or'"},
                                                                            {"&", "write 'and'"},
                                                                            {"|", "write 'or'"},
                                                                            {"!", "write 'not' (or '!=')"},
                                                                            {"=", "write '==' to compare"}}};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return is_letter(c) || is_digit(c); }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view constraint) : constraint_(constraint) {}

  std::vector<ConstraintToken> all() {
    std::vector<ConstraintToken> tokens;
    while (skip_blanks()) tokens.push_back(next());
    tokens.push_back({Kind::kEnd, "", 0, constraint_.size()});
    return tokens;
  }

 private:
  bool skip_blanks() {
    while (at_ < constraint_.size() && is_blank(constraint_[at_])) ++at_;
    return at_ < constraint_.size();
  }

  ConstraintToken next() {
    const char first = constraint_[at_];
    if (is_digit(first) || first == '.') return number();
    if (is_letter(first)) return word();
    if (first == '"' || first == '\'') return text();
    return symbol();
  }

  ConstraintToken number() {
    ConstraintToken token{Kind::kNumber, "", 0, at_};
    const char* begin = constraint_.data() + at_;
    const char* end = constraint_.data() + constraint_.size();
    const auto parsed = std::from_chars(begin, end, token.number);
    const bool whole = parsed.ec == std::errc() && (parsed.ptr == end || (!continues_word(*parsed.ptr) && *parsed.ptr != '.'));
    if (!whole) throw_at(constraint_, at_, "this is not a number");
    token.text = constraint_.substr(at_, static_cast<std::size_t>(parsed.ptr - begin));
    if (has_leading_zero(token.text)) throw_at(constraint_, at_, "a number has no leading zero");
    at_ += token.text.size();
    return token;
  }

  ConstraintToken word() {
    const auto begin = at_;
    while (at_ < constraint_.size() && continues_word(constraint_[at_])) ++at_;
    return {Kind::kWord, constraint_.substr(begin, at_ - begin), 0, begin};
  }

  ConstraintToken text() {
    const auto begin = at_;
    const auto end = constraint_.find(constraint_[begin], begin + 1);
    if (end == std::string_view::npos) throw_at(constraint_, begin, "this quote is not closed");
    const auto literal = constraint_.substr(begin + 1, end - begin - 1);
    if (shown(literal, constraint_.size()) != literal)
      throw_at(constraint_, begin, "this text holds a character that cannot be shown");
    at_ = end + 1;
    return {Kind::kText, literal, 0, begin};
  }

  ConstraintToken symbol() {
    const auto begin = at_;
    const auto rest = constraint_.substr(at_);
    for (const auto known : kSymbols) {
      if (!rest.starts_with(known)) continue;
      at_ += known.size();
      return {Kind::kSymbol, known, 0, begin};
    }
    for (const auto& [foreign, advice] : kForeign) {
      if (rest.starts_with(foreign)) throw_at(constraint_, begin, advice);
    }
    throw_at(constraint_, begin,
             "this character has no meaning here (legal: + - * / %, comparisons, and or not, parentheses, axis names, "
             "numbers, quoted strings)");
  }

  std::string_view constraint_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<ConstraintToken> constraint_tokens(std::string_view constraint) { return Tokenizer(constraint).all(); }

void throw_at(std::string_view constraint, std::size_t position, const std::string& message) {
  constexpr std::size_t kBefore = 50;  // what stands far from the caret does not help
  const std::size_t begin = position > kBefore ? position - kBefore : 0;
  const auto before = shown(constraint.substr(begin, position - begin));
  const auto is_lead_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto columns = static_cast<std::size_t>(std::count_if(before.begin(), before.end(), is_lead_byte));
  throw UsageError(message + " (at character " + std::to_string(position + 1) + ")\n    " + before +
                   shown(constraint.substr(position), kBefore) + "\n    " + std::string(columns, ' ') + "^");
}

}  // namespace ddpbench
