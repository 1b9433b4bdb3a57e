#pragma once
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace ddpbench {

// Makes, while it lives, what is written to `out` fit for a terminal (printable, newlines and tabs apart): reasons, paths and
// names come from ranks, files and users, and an escape sequence among them would steer the terminal of whoever reads it. main()
// makes one for standard output and one for standard error, so that no command can forget it.
class CleanOutput : public std::streambuf {
 public:
  explicit CleanOutput(std::ostream& out) : out_(out), beneath_(out.rdbuf(this)) {}
  ~CleanOutput() override;
  CleanOutput(const CleanOutput&) = delete;
  CleanOutput& operator=(const CleanOutput&) = delete;

  // Returns where `out` writes to in truth: for the one writer that draws on the terminal, and cleans its own texts.
  static std::streambuf* beneath(const std::ostream& out);

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize length) override;
  int sync() override;
  bool pass_on(std::string_view text);

  std::ostream& out_;
  std::streambuf* beneath_;
  std::string line_;  // not passed on yet: a character may come in parts
};

}  // namespace ddpbench
