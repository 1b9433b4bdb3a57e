#pragma once
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace ddpbench {

// Reads the text of a file, plain or gzip, byte by byte, and keeps little of it in memory. Throws UsageError that names the file
// where it is cut short or damaged, Error where it cannot be read.
class InflatedText {
 public:
  explicit InflatedText(const std::string& path);

  bool at_end() const { return at_ == filled_; }
  char current() const { return buffer_[at_]; }
  void next() {
    if (++at_ == filled_) fill();
  }

 private:
  void fill();
  std::string path_;
  struct Closer {
    void operator()(gzFile_s* file) const { ::gzclose(file); }
  };
  std::unique_ptr<gzFile_s, Closer> file_;  // closed also where the constructor throws
  std::vector<char> buffer_;
  std::size_t at_ = 0, filled_ = 0;
};

// Walks over such a text, for what takes two iterators; a default one is its end.
class InflatedTextIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  InflatedTextIterator() = default;
  explicit InflatedTextIterator(InflatedText& text) : text_(&text) {}
  char operator*() const { return text_->current(); }
  InflatedTextIterator& operator++() {
    text_->next();
    return *this;
  }
  InflatedTextIterator operator++(int) {
    const auto before = *this;
    ++*this;
    return before;
  }
  // Only a comparison with the end says anything.
  bool operator==(const InflatedTextIterator& other) const { return is_end() == other.is_end(); }

 private:
  bool is_end() const { return text_ == nullptr || text_->at_end(); }
  InflatedText* text_ = nullptr;
};

}  // namespace ddpbench
