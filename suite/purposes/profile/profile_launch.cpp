#include "suite/purposes/profile/profile_launch.hpp"

#include <filesystem>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/status.hpp"
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
    return std::move(result_);
  }

 private:
  void add(std::int64_t rank) {
    const auto steps = parse_profiled_steps(spec_.profile_steps);
    ProfileRow row{
        spec_.launch_id,      spec_.cell_id,       spec_.profiler, join(spec_.arms, " "), rank, steps.first, steps.last, "", "",
        result_.ended.status, result_.ended.reason};
    const auto name = std::string(folder_file::kTraces) + "/" + spec_.launch_id + ".rank" + std::to_string(rank);
    const auto trace = trace_part(spec_.part_dir, rank, profiler_.suffix);
    if (fs::exists(trace)) {
      row.file = name + std::string(profiler_.stored);
      result_.traces.files[row.file] = stored_text(profiler_, trace);
      add_parts(row, trace);
    } else if (row.status == status::kOk) {
      row.status = status::kFailed;
      row.reason = "rank " + std::to_string(rank) + " left no trace";
    }
    if (const auto timed = steps_part(spec_.part_dir, rank); fs::exists(timed)) {
      row.steps_file = name + ".steps.csv";
      result_.traces.files[row.steps_file] = csv_header<StepRow>() + read_file(timed);
    }
    result_.traces.ranks.push_back(std::move(row));
  }

  // A report of nsys is read through nsys: `ddpbench trace` does that.
  void add_parts(ProfileRow& row, const std::string& path) {
    if (spec_.profiler != profiler::kKineto) return;
    try {
      for (const auto& trace : read_traces(path)) {
        const auto summary = summarize(trace, find_steps(trace, ""));
        for (const auto& [arm, sum] : summary.arms) add_parts(row.rank, arm, sum, summary.detail);
      }
    } catch (const Error& error) {
      row.status = status::kFailed;
      row.reason = error.what();
    }
  }

  void add_parts(std::int64_t rank, const std::string& arm, const ArmSum& sum, TraceDetail detail) {
    const auto add = [&](const PartOfStep& part) {
      result_.traces.parts.push_back({spec_.launch_id, spec_.cell_id, arm, rank, sum.steps, part.name, part.us, part.share});
    };
    if (sum.step_ns == 0) return;
    add({"step", step_us(sum), 1});
    for (const auto& part : parts_of_step(sum, detail)) add(part);
  }

  const LaunchSpec& spec_;
  const ProfilerEntry& profiler_;
  ProfileResult result_;
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
