#include "suite/commands/report/draw_page.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

#include "suite/base/printable.hpp"
#include "suite/launch/probe/python_module.hpp"
#include "suite/launch/processes/captured_run.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr double kDrawTimeoutSeconds = 1800;
// The exit codes of `python -m reports.html` that leave a page behind: all is drawn, or nothing could be but the page says why.
constexpr int kPageWritten = 0, kPageOfNothing = 1;
constexpr const char* kSpeaker = "report: ";
constexpr std::size_t kMostWords = 1000;  // bytes of what Python says

// Which file stands at a path: one that is put there by rename is another.
struct FileIdentity {
  dev_t device;
  ino_t number;
  std::int64_t changed_s, changed_ns;
  bool operator==(const FileIdentity&) const = default;
};

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
  return FileIdentity{facts.st_dev, facts.st_ino, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec};
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const auto before = text.find_last_of('\n', end);
  return text.substr(before == std::string::npos ? 0 : before + 1, end - before);
}

std::string why_not_drawn(const CapturedRun& run, const fs::path& python) {
  const auto ended = python.string() + " " + how_it_ended(run);
  if (run.signal != 0) return ended;
  auto why = printable(last_line(run.err), kMostWords);
  if (why.empty()) return ended + " and said nothing";
  const bool lacks_module = why.find("ModuleNotFoundError") != std::string::npos;
  if (lacks_module) why += "; install matplotlib and jinja2 for " + python.string() + ", or run ./bootstrap.sh build";
  return why;
}

bool ended_well(const CapturedRun& run) {
  const bool of_nothing = run.exit_code == kPageOfNothing && last_line(run.err).starts_with(kSpeaker);
  return run.signal == 0 && (run.exit_code == kPageWritten || of_nothing);
}

CapturedRun run_python(const Installation& installation, const std::vector<std::string>& words) {
  const auto tell = [](std::string_view line) {
    if (line.starts_with(kSpeaker)) std::cerr << line << std::endl;
  };
  return run_captured(python_module(installation, "reports.html", words), kDrawTimeoutSeconds, tell);
}

}  // namespace

// That Python ended well is no page yet.
DrawnPage draw_page(const Installation& installation, const std::vector<std::string>& words, const std::string& page) {
  const auto before = identity_of(page);
  DrawnPage drawn;
  try {
    const auto run = run_python(installation, words);
    const auto now = identity_of(page);
    if (ended_well(run) && now && now != before) return {page, ""};
    drawn.why_not = why_not_drawn(run, installation.python());
  } catch (const std::exception& error) {
    drawn.why_not = error.what();
  }
  if (before) drawn.why_not += "; the " + fs::path(page).filename().string() + " that is there is of an earlier report";
  return drawn;
}

}  // namespace ddpbench
