// Google Benchmark's main with one more option: --rows=FILE writes the results as rows of metrics.csv, for the same readers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/tables/schema.hpp"

namespace ddpbench {
namespace {

// Times per iteration in seconds as `NAME.real_time` and `NAME.cpu_time`, counters under their own names.
class RowReporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override {
    GetOutputStream() << csv_header<MetricRow>();
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs) {
      if (run.error_occurred) continue;
      const auto iterations = static_cast<double>(std::max<std::int64_t>(1, run.iterations));
      write(run, "real_time", run.real_accumulated_time / iterations, "s");
      write(run, "cpu_time", run.cpu_accumulated_time / iterations, "s");
      for (const auto& [name, counter] : run.counters) write(run, name, counter.value, unit_of(name));
    }
  }

 private:
  static std::string unit_of(const std::string& counter) {
    if (counter == "bytes_per_second") return "B/s";
    if (counter == "items_per_second") return "1/s";
    return counter.ends_with("_us") ? "us" : "1";
  }

  void write(const Run& run, const std::string& what, double value, const std::string& unit) {
    std::string row;
    append_csv_row(row, MetricRow{"micro", "", 0, run.benchmark_name() + "." + what, value, unit});
    GetOutputStream() << row;
  }
};

constexpr std::string_view kRows = "--rows=";

int run(std::vector<char*> arguments) {
  std::string out;
  for (auto& argument : arguments) {
    if (std::string_view(argument).starts_with(kRows)) {
      out = "--benchmark_out=" + std::string(argument).substr(kRows.size());
      argument = out.data();
    }
  }
  auto count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) {
    std::cerr << "ddpbench-micro: also --rows=FILE: the results as rows of metrics.csv\n";
    return 2;
  }
  RowReporter rows;
  benchmark::RunSpecifiedBenchmarks(nullptr, out.empty() ? nullptr : &rows);
  return 0;
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) { return ddpbench::run({arguments, arguments + count}); }
