#include "suite/traces/read_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/traces/kineto_reader.hpp"
#include "suite/traces/nsys_reader.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// Is one format: the first bytes of its files, and what reads one.
struct TraceFormat {
  std::string_view first_bytes;
  std::vector<Trace> (*read)(const std::string& path);
};

std::vector<Trace> read_one_kineto(const std::string& path) {
  std::vector<Trace> traces;
  traces.push_back(read_kineto(path));
  return traces;
}

constexpr std::array kFormats{
    TraceFormat{"{", read_one_kineto},
    TraceFormat{"[", read_one_kineto},
    TraceFormat{"\x1f\x8b", read_one_kineto},
    TraceFormat{"SQLite format 3", read_nsys},
};

std::string first_bytes_of(const std::string& path) {
  std::array<char, 64> buffer{};
  const auto file = open_regular_file(path);
  const auto count = ::read(file.number(), buffer.data(), buffer.size());
  std::string bytes(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  bytes.erase(0, std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return bytes;
}

}  // namespace

bool is_nsys_report(const std::string& path) { return path.ends_with(".nsys-rep"); }

std::vector<Trace> read_traces(const std::string& path) {
  const auto bytes = first_bytes_of(path);
  if (bytes.empty()) throw UsageError(path + ": the file is empty");
  for (const auto& format : kFormats) {
    if (bytes.starts_with(format.first_bytes)) return format.read(path);
  }
  throw UsageError(path +
                   ": is no trace that can be read: JSON of torch.profiler (plain or .gz), an SQLite export of Nsight Systems, "
                   "or a .nsys-rep");
}

std::vector<std::string> trace_files_of_folder(const std::string& folder) {
  const auto profiles = fs::path(folder) / "profiles";
  std::vector<std::string> files;
  if (fs::is_directory(profiles)) {
    for (const auto& entry : fs::recursive_directory_iterator(profiles)) {
      auto path = entry.path().string();
      const bool is_export = path.ends_with(".sqlite");
      const bool is_exported = is_nsys_report(path) && fs::exists(fs::path(path).replace_extension(".sqlite"));
      if (is_export || path.ends_with(".json") || path.ends_with(".json.gz") || (is_nsys_report(path) && !is_exported))
        files.push_back(std::move(path));
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw UsageError(folder +
                     ": holds no trace (profiles/*/*.json.gz, *.sqlite, *.nsys-rep): it is no results folder of a profiled run");
  return files;
}

}  // namespace ddpbench
