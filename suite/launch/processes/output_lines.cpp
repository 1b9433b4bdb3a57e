#include "suite/launch/processes/output_lines.hpp"

#include <algorithm>

#include "suite/launch/processes/read_available.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {

void OutputLines::read(const Take& take) {
  read_available(fd_, text_);
  std::size_t start = 0;
  for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', start)) {
    take(clean_line(std::string_view(text_).substr(start, end - start)));
    start = end + 1;
  }
  text_.erase(0, start);
  if (text_.size() > kLongestLineBytes) take_rest(take);
}

void OutputLines::take_rest(const Take& take) {
  if (!text_.empty()) take(clean_line(text_));
  text_.clear();
}

void OutputLines::finish(const Take& take) {
  read(take);
  fd_.close();
  take_rest(take);
}

std::string clean_line(std::string_view line) {
  std::string blanks(line.substr(0, line.find_last_not_of('\r') + 1));
  std::replace(blanks.begin(), blanks.end(), '\t', ' ');
  return shown(blanks, kLongestLineBytes);
}

}  // namespace ddpbench
