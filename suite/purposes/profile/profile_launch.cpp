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
    for (const auto& arm : arm_reports(reports_)) add_parts(arm);
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
      summarize_steps(row, trace);
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
  void summarize_steps(ProfileRow& row, const std::string& path) {
    if (spec_.profiler != profiler::kKineto) return;
    try {
      for (const auto& trace : read_traces(path)) {
        reports_.push_back({summarize(trace, find_steps(trace, "")), std::nullopt});
        reports_.back().summary.rank = std::to_string(row.rank);
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
      add({"step", step_us(sum), 1});
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
