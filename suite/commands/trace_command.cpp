#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/commands/command.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/temporary_folder.hpp"
#include "suite/purposes/profile/profiler_command.hpp"
#include "suite/traces/read_trace.hpp"
#include "suite/traces/trace_report.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

struct TraceArguments {
  std::vector<std::string> files;
  std::string step_range, arm, top = "5", csv;
  bool json = false;
};

// Throws with how to do without.
std::string program_for(const std::string& report) {
  const auto program = nsys_program();
  if (!program.empty() && ::access(program.c_str(), X_OK) == 0) return program;
  throw UsageError(report + ": a report of Nsight Systems is read through its own program, and " +
                   (program.empty() ? std::string("there is no nsys on PATH") : "DDPBENCH_NSYS=" + program + " is no program") +
                   ": set DDPBENCH_NSYS, or run `nsys export --type sqlite FILE.nsys-rep` where it is, and give the .sqlite");
}

std::string exported(const std::string& report, const std::string& folder) {
  constexpr double kMostExportSeconds = 600;
  const auto inside =
      fs::path(folder) / fs::absolute(report).lexically_normal().parent_path().filename();  // of the launch's name
  fs::create_directories(inside);
  auto path = (inside / fs::path(report).stem()).string() + ".sqlite";
  ChildRequest request;
  request.tokens = {program_for(report), "export", "--type", "sqlite", "--force-overwrite", "true", "--output", path, report};
  open_regular_file(report);  // says why it cannot be opened
  const auto run = run_captured(request, kMostExportSeconds);
  constexpr std::size_t kShownBytes = 400;
  if (run.clean() && fs::exists(path)) return path;
  throw UsageError(report + ": nsys export " + (run.clean() ? "wrote no file" : how_it_ended(run)) + ": " +
                   printable(run.err.empty() ? run.out : run.err, kShownBytes));
}

std::vector<std::string> all_files(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const auto& path : given) {
    if (!fs::exists(path)) throw UsageError(path + ": there is no such file or folder");
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const auto inside = trace_files_of_folder(path);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

// Keeps one arm of a trace and of the timers beside it; nothing is done where none is asked for.
void keep_arm(const std::string& wanted, RankSummary& summary, std::vector<StepRow>& timers) {
  if (wanted.empty()) return;
  std::erase_if(summary.arms, [&](const auto& one) { return one.first != wanted; });
  std::erase_if(timers, [&](const StepRow& row) { return row.arm != wanted; });
}

class RankReader {
 public:
  explicit RankReader(const TraceArguments& arguments) : arguments_(arguments) {}

  std::vector<RankReport> read() {
    for (const auto& file : all_files(arguments_.files)) {
      if (is_nsys_report(file)) {
        const TemporaryFolder folder("ddpbench-trace");
        add(file, exported(file, folder.path()));
      } else {
        add(file, file);
      }
    }
    for (auto& rank : ranks_) {
      if (rank.has_timers) rank.report.timers = compare_with_timers(rank.report.summary, rank.timers);
    }
    const auto& arm = arguments_.arm;
    if (!arm.empty() && !holds(arms_, arm))
      throw UsageError("--arm '" + arm + "': no trace has this arm; they have " + join(arms_, ", "));
    std::vector<RankReport> reports;
    for (auto& rank : ranks_) reports.push_back(std::move(rank.report));
    name_apart(reports);
    return reports;
  }

 private:
  // A rank's report, what its timers say of all its spans, and by what name these are known ("": it is one file).
  struct OneRank {
    RankReport report;
    std::vector<StepRow> timers{};
    bool has_timers = false;
    std::string owner{};
  };

  void add(const std::string& file, const std::string& readable) {
    for (auto& trace : read_traces(readable)) {
      trace.file = file;
      OneRank rank{{summarize(trace, find_steps(trace, arguments_.step_range)), std::nullopt}};
      auto& summary = rank.report.summary;
      for (const auto& [arm, sum] : summary.arms) {
        if (!holds(arms_, arm)) arms_.push_back(arm);
      }
      const auto path = timers_file(file);
      rank.has_timers = summary.source == StepSource::kBlocks && fs::exists(path);
      if (rank.has_timers) rank.timers = read_csv_file<StepRow>(path);
      rank.owner = owner_of(summary);
      keep_arm(arguments_.arm, summary, rank.timers);
      add(std::move(rank));
    }
  }

  // Of a schedule of ours each arm has a folder: its spans are the rank's, too.
  static std::string owner_of(const RankSummary& summary) {
    const fs::path owner(span_owner(summary.file));
    const auto folder = owner.parent_path().filename();
    const bool is_of_arm = !owner.empty() && std::any_of(summary.arms.begin(), summary.arms.end(),
                                                         [&](const auto& arm) { return folder == arm.first; });
    return (is_of_arm ? owner.parent_path().parent_path() / owner.filename() : owner).string();
  }

  void add(OneRank rank) {
    const auto at = std::find_if(ranks_.begin(), ranks_.end(), [&](const OneRank& one) {
      return !one.owner.empty() && one.owner == rank.owner && one.report.summary.launch == rank.report.summary.launch &&
             one.report.summary.detail == rank.report.summary.detail && one.report.summary.source == rank.report.summary.source;
    });
    if (at == ranks_.end()) return ranks_.push_back(std::move(rank));
    add_span(at->report.summary, std::move(rank.report.summary));
    at->timers.insert(at->timers.end(), rank.timers.begin(), rank.timers.end());
    at->has_timers = at->has_timers && rank.has_timers;  // of all spans, or none is compared
  }

  // The folder of a launch's traces stands in one of its run.
  static std::string run_folder_of(const RankSummary& summary) {
    const auto folder = fs::path(summary.file).parent_path();
    for (auto inside = folder; inside.has_filename(); inside = inside.parent_path()) {
      if (inside.filename() == summary.launch) return inside.parent_path().string();
    }
    return folder.string();
  }

  // Launches of two runs may have one name, and two files be of one rank: folders and files tell them apart.
  static void name_apart(std::vector<RankReport>& ranks) {
    std::map<std::string, std::set<std::string>> folders;  // by launch
    for (const auto& [summary, timers] : ranks) folders[summary.launch].insert(run_folder_of(summary));
    for (auto& [summary, timers] : ranks) {
      const auto& all = folders[summary.launch];
      if (all.size() > 1 && !summary.launch.empty()) summary.launch += " in " + run_folder_of(summary);
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      auto& second = ranks[i].summary;
      const auto is_same = [&](const RankReport& first) {
        return first.summary.launch == second.launch && first.summary.rank == second.rank;
      };
      if (std::any_of(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(i), is_same))
        second.rank += " of " + fs::path(second.file).filename().string();
    }
  }

  const TraceArguments& arguments_;
  std::vector<OneRank> ranks_;
  std::vector<std::string> arms_;  // of all traces
};

std::size_t top_from(const std::string& text) {
  constexpr std::size_t kMost = 10'000;
  const auto top = parse_number<std::size_t>(text);
  if (!top || *top > kMost) throw UsageError("--top: '" + text + "' must be an integer from 0 to " + std::to_string(kMost));
  return *top;
}

ExitCode show_traces(const TraceArguments& arguments) {
  const auto top = top_from(arguments.top);
  const auto ranks = RankReader(arguments).read();
  if (!arguments.csv.empty()) write_named_file(arguments.csv, trace_csv(ranks));
  if (arguments.json) {
    constexpr int kIndent = 2;
    std::cout << trace_json(ranks, top).dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    std::cout << trace_text(ranks, top);
  }
  return timers_agree(ranks) ? ExitCode::kDone : ExitCode::kDoneWithFailures;
}

CommandAction declare_trace(CLI::App& app) {
  const auto arguments = std::make_shared<TraceArguments>();
  app.add_option(
         "FILE", arguments->files,
         "traces: JSON of torch.profiler (plain or .gz), .sqlite or .nsys-rep of Nsight Systems; or results folders with traces")
      ->required();
  app.add_option("--step-range", arguments->step_range,
                 "a step is a range (annotation, NVTX range) of this name; a * at its end: that begins so (default: steps of "
                 "ddpbench, else of torch.profiler)");
  app.add_option("--arm", arguments->arm, "show this arm only");
  app.add_option("--top", arguments->top, "show so many operations and kernels")->capture_default_str();
  app.add_flag("--json", arguments->json, "print JSON, for programs");
  app.add_option("--csv", arguments->csv, "write the parts of the step to this file, too");
  return [arguments] { return show_traces(*arguments); };
}

}  // namespace

CommandEntry trace_command() {
  return {
      "trace",
      "Says where a training step's time goes, from profiler traces",
      "Cuts each step of a trace into operations, exposed communication, data and host between operations; with kernels of a\n"
      "GPU the device's idle time and what the host did then. The parts add up to the step. Traces may be of ddpbench or of\n"
      "any program. Beside a trace of ddpbench stand its timers' figures of the same steps.",
      "ddpbench trace trace-rank0.json.gz trace-rank1.json.gz",
      "0 done; 1 a trace and its timers differ by more than the gate; 2 a mistake in the command, or a file that is no whole "
      "trace",
      declare_trace};
}

}  // namespace ddpbench
