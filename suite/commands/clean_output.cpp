#include "suite/commands/clean_output.hpp"

#include "suite/base/printable.hpp"

namespace ddpbench {

CleanOutput::~CleanOutput() {
  CleanOutput::sync();
  out_.rdbuf(beneath_);
}

std::streambuf* CleanOutput::beneath(const std::ostream& out) {
  const auto* clean = dynamic_cast<CleanOutput*>(out.rdbuf());
  return clean == nullptr ? out.rdbuf() : clean->beneath_;
}

CleanOutput::int_type CleanOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char character = traits_type::to_char_type(c);
  return xsputn(&character, 1) == 1 ? c : traits_type::eof();
}

std::streamsize CleanOutput::xsputn(const char* text, std::streamsize length) {
  line_.append(text, static_cast<std::size_t>(length));
  const auto end = line_.rfind('\n');
  if (end == std::string::npos) return length;
  const bool passed = pass_on(std::string_view(line_).substr(0, end + 1));
  line_.erase(0, end + 1);
  return passed ? length : 0;
}

int CleanOutput::sync() {
  const bool passed = pass_on(line_);
  line_.clear();
  return passed && beneath_->pubsync() == 0 ? 0 : -1;
}

bool CleanOutput::pass_on(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const auto end = text.find_first_of("\n\t");
    clean += printable(text.substr(0, end));
    if (end == std::string_view::npos) break;
    clean += text[end];
    text.remove_prefix(end + 1);
  }
  const auto length = static_cast<std::streamsize>(clean.size());
  return beneath_->sputn(clean.data(), length) == length;
}

}  // namespace ddpbench
