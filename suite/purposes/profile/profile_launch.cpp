#include "suite/purposes/profile/profile_launch.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/purposes/profile/profiler_command.hpp"
#include "suite/runs/rank_outcomes.hpp"
#include "suite/store/gzip_members.hpp"
#include "suite/traces/read_trace.hpp"
#include "suite/traces/trace_report.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// Returns the trace as the folder keeps it.
std::string stored_text(const ProfilerEntry& profiler, const std::string& path) {
  if (profiler.stored == profiler.suffix) return read_file(path);
  const auto packed = path + ".gz";
  append_gzip_member(packed, 0, read_file(path));
  return read_file(packed);
}

class ProfileReader {
 public:
  ProfileReader(const LaunchSpec& spec, LaunchOutcome ended)
      : spec_(spec), profiler_(find_entry(profilers(), "profiler", spec.profiler)), result_{{}, std::move(ended), false} {}

  ProfileResult read() {
    for (std::int64_t rank = 0; rank < spec_.world_size(); ++rank) {
      if (is_profiled(spec_, rank)) add(rank);
    }
    for (const auto& arm : arm_reports(reports_)) add_parts(arm);
    return std::move(result_);
  }

 private:
  void add(std::int64_t rank) {
    const auto windows = profiled_windows(spec_);
    std::optional<RankSummary> summary;  // of all windows
    for (std::size_t place = 0; place < windows.size(); ++place) {
      const auto& window = windows[place];
      auto row = row_of(window, rank);
      add_trace(row, stored_name(window, rank), trace_part(spec_.part_dir, rank, trace_suffix(spec_, place)), summary);
      result_.traces.ranks.push_back(std::move(row));
    }
    add_timers(rank, windows);
    if (!summary) return;
    summary->rank = std::to_string(rank);
    reports_.push_back({std::move(*summary), std::nullopt});
  }

  ProfileRow row_of(const ProfiledWindow& window, std::int64_t rank) const {
    ProfileRow row;
    row.launch_id = spec_.launch_id;
    row.cell_id = spec_.cell_id;
    row.profiler = spec_.profiler;
    row.arms = join(window.arms, " ");
    row.rank = rank;
    row.first_step = window.steps.first;
    row.last_step = window.steps.last;
    row.status = result_.ended.status;
    row.reason = result_.ended.reason;
    return row;
  }

  void add_trace(ProfileRow& row, const std::string& name, const std::string& trace, std::optional<RankSummary>& summary) {
    if (fs::exists(trace)) {
      row.file = name + std::string(profiler_.stored);
      result_.traces.files[row.file] = stored_text(profiler_, trace);
      summarize_into(summary, row, trace);
    } else if (row.status == status::kOk) {
      row.status = status::kFailed;
      row.reason = "rank " + std::to_string(row.rank) + " left no trace";
    }
  }

  // To the rows of the rank's windows, which stand last. Of one that died the rows may be cut: then it has none.
  void add_timers(std::int64_t rank, const std::vector<ProfiledWindow>& windows) {
    const auto timed = timed_steps(rank);
    auto row = result_.traces.ranks.end() - static_cast<std::ptrdiff_t>(windows.size());
    for (const auto& window : windows) {
      auto& names = *row++;
      const auto rows = rows_of(timed, window);
      if (rows.empty()) continue;
      names.steps_file = stored_name(window, rank) + ".steps.csv";
      result_.traces.files[names.steps_file] = csv_text(rows);
    }
  }

  // As TensorBoard's plugin wants it: a folder for each run, in it WORKER.SPAN. It sorts spans as texts, so they have one width.
  std::string stored_name(const ProfiledWindow& window, std::int64_t rank) const {
    auto name = std::string(folder_file::kTraces) + "/" + spec_.launch_id + "/";
    const auto worker = "rank" + std::to_string(rank);
    if (window.span == 0) return name + worker;
    const auto width = std::to_string(parse_profile_schedule(spec_.profile_schedule).repeat).size();
    auto span = std::to_string(window.span);
    span.insert(0, width - span.size(), '0');
    return name + window.arms.front() + "/" + worker + "." + span;
  }

  std::vector<StepRow> timed_steps(std::int64_t rank) const {
    const auto path = steps_part(spec_.part_dir, rank);
    if (!fs::exists(path)) return {};
    try {
      return read_csv_text<StepRow>(csv_header<StepRow>() + read_file(path), path);
    } catch (const Error&) {
      if (result_.ended.status == status::kOk) throw;
      return {};
    }
  }

  // A super-block is a span of an arm, where there are spans.
  static std::vector<StepRow> rows_of(const std::vector<StepRow>& all, const ProfiledWindow& window) {
    std::vector<StepRow> rows;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows), [&](const StepRow& row) {
      return window.span == 0 || (row.arm == window.arms.front() && row.super_block == window.span);
    });
    return rows;
  }

  // A report of nsys is read through nsys: `ddpbench trace` does that.
  void summarize_into(std::optional<RankSummary>& summary, ProfileRow& row, const std::string& path) const {
    if (spec_.profiler != profiler::kKineto) return;
    try {
      for (const auto& trace : read_traces(path)) {
        auto one = summarize(trace, find_steps(trace, ""));
        if (summary) {
          add_span(*summary, std::move(one));
        } else {
          summary = std::move(one);
        }
      }
    } catch (const Error& error) {
      row.status = status::kFailed;
      row.reason = error.what();
    }
  }

  void add_parts(const ArmReport& arm) {
    for (const auto& rank : arm.ranks) {
      const auto& sum = *rank.sum;
      const auto add = [&](const PartOfStep& part) {
        result_.traces.parts.push_back(
            {spec_.launch_id, spec_.cell_id, arm.arm, std::stoll(rank.rank), sum.steps, part.name, part.us, part.share});
      };
      if (sum.step_ns == 0) continue;
      add({kWholeStepName, step_us(sum), 1});
      for (const auto& part : parts_of_step(sum, arm.detail)) add(part);
      if (arm.waited_ns) add({kWaitedName, us_per_step(sum, rank.waited_ns), share_of(sum, rank.waited_ns)});
      for (const auto& memory : sum.memory) add_memory(std::stoll(rank.rank), arm.arm, memory);
    }
  }

  // Behind the last point the step's end, where its last phase ends.
  void add_memory(std::int64_t rank, const std::string& arm, const DeviceMemory& memory) {
    const auto add = [&](const std::string& phase, std::int64_t offset_ns, const MemoryPoint& point) {
      result_.traces.memory.push_back({spec_.launch_id, spec_.cell_id, arm, rank, memory.device, phase,
                                       static_cast<double>(offset_ns) / 1e3, mib_of(point.allocated),
                                       memory.peak.reserved > 0 ? mib_of(point.reserved) : kNotMeasured});
    };
    for (const auto& point : memory.typical) add(kPhaseNames[point.phase], point.offset_ns, point);
    if (!memory.typical.empty()) add("end", memory.typical_ns, memory.typical.back());
  }

  const LaunchSpec& spec_;
  const ProfilerEntry& profiler_;
  ProfileResult result_;
  std::vector<RankReport> reports_;
};

}  // namespace

ProfileResult run_profile_launch(const Launcher& launcher, const LaunchSpec& spec, const Program& program, SignalInbox& inbox,
                                 ProgressDisplay& display) {
  auto listener = shown_on(display);
  if (spec.profiler == profiler::kNsys) {
    listener.said = [show = listener.said](std::string_view source, std::string_view line) {
      if (!is_progress_of_nsys(line)) show(source, line);
    };
  }
  auto launched = outcome_of_ranks(launcher, spec, under_profiler(launcher, spec, program), inbox, listener);
  auto result = ProfileReader(spec, std::move(launched.ended)).read();
  result.job_is_over = launched.job_is_over;
  return result;
}

}  // namespace ddpbench
