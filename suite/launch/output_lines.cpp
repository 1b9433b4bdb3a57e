#include "suite/launch/output_lines.hpp"

#include "suite/launch/read_available.hpp"

namespace ddpbench {

void OutputLines::read(const Take& take) {
  read_available(fd_, text_);
  std::size_t start = 0;
  for (auto end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', start)) {
    take(std::string_view(text_).substr(start, end - start));
    start = end + 1;
  }
  text_.erase(0, start);
}

void OutputLines::finish(const Take& take) {
  read(take);
  fd_.close();
  if (!text_.empty()) take(text_);
  text_.clear();
}

}  // namespace ddpbench
