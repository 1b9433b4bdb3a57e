#include "suite/runs/sweep.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>

#include "suite/base/durable_file.hpp"
#include "suite/base/environment_rules.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/drive_launch.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/runs/launch_rows.hpp"
#include "suite/runs/rank_outcomes.hpp"
#include "suite/store/merge_parts.hpp"

namespace ddpbench {
namespace {

struct CountOfStatus {
  const char* status;
  int SweepCounts::*count;
};
constexpr std::array<CountOfStatus, 5> kCountOfStatus{{{status::kOk, &SweepCounts::ok},
                                                       {status::kSkipped, &SweepCounts::skipped},
                                                       {status::kFailed, &SweepCounts::failed},
                                                       {status::kWrongResult, &SweepCounts::wrong},
                                                       {status::kPartial, &SweepCounts::partial}}};

void count(SweepCounts& counts, const std::string& status) {
  const auto* found =
      std::find_if(kCountOfStatus.begin(), kCountOfStatus.end(), [&](const auto& c) { return status == c.status; });
  ++(counts.*(found == kCountOfStatus.end() ? &SweepCounts::failed : found->count));
}

// One bad arm makes a launch bad.
std::string worst_status(const LaunchOutcome& ended) {
  return ended.status == status::kOk && !ended.arms.empty() ? ended.arms.begin()->second.first : ended.status;
}

}  // namespace

Sweep::Sweep(const SweepSetup& setup, ResultsFolder& folder, ProgressDisplay& display)
    : setup_(setup), folder_(folder), display_(display) {
  for (const auto& launch : setup_.plan.launches) {
    if (launch.skip_reason.empty() && !needs_no_run(launch)) seconds_left_ += launch.spec.protocol.max_seconds_per_launch;
  }
}

SweepCounts Sweep::run(SignalInbox& inbox) {
  while (advance(inbox)) continue;
  display_.clear_bar();
  return counts_;
}

bool Sweep::advance(SignalInbox& inbox) {
  if (is_stopped(inbox) || !counts_.lost.empty() || next_ == setup_.plan.launches.size()) return false;
  const auto index = next_++;
  if (!taken_.contains(index)) take(index, inbox);
  return true;
}

void Sweep::take(const std::string& launch_id, SignalInbox& inbox) {
  for (std::size_t index = 0; index < setup_.plan.launches.size(); ++index) {
    if (setup_.plan.launches[index].spec.launch_id != launch_id || taken_.contains(index)) continue;
    if (!is_stopped(inbox) && counts_.lost.empty()) take(index, inbox);
    return;
  }
}

void Sweep::take(std::size_t index, SignalInbox& inbox) {
  taken_.insert(index);
  const auto& launch = setup_.plan.launches[index];
  if (!launch.skip_reason.empty()) {
    ++counts_.skipped;
  } else if (needs_no_run(launch)) {
    ++counts_.ok;
  } else {
    run_launch(index, inbox);
  }
}

bool Sweep::is_stopped(SignalInbox& inbox) {
  inbox.receive();
  counts_.stopped |= inbox.stops() > 0;
  return counts_.stopped;
}

// One that was skipped on another machine may run on this one.
bool Sweep::needs_no_run(const PlannedLaunch& launch) const {
  const auto& runs = folder_.runs();
  const bool was_skipped = std::any_of(runs.begin(), runs.end(), [&](const RunRow& run) {
    return run.launch_id == launch.spec.launch_id && run.status == status::kSkipped;
  });
  return folder_.is_finished(launch.spec.launch_id) && !was_skipped;
}

// What cannot be stored once (a full disk) cannot be stored the next time: the sweep ends, what was committed stays.
void Sweep::run_launch(std::size_t index, SignalInbox& inbox) {
  announce(index);
  try {
    measure(setup_.plan.launches[index], inbox);
  } catch (const CannotRun&) {
    throw;
  } catch (const std::exception& error) {
    counts_.lost = error.what();
    display_.print_line("results cannot be stored any more: " + counts_.lost + "; launches that are stored stay");
  }
}

void Sweep::measure(const PlannedLaunch& launch, SignalInbox& inbox) {
  auto spec = launch.spec;
  const auto data = setup_.data.find(launch.dataset);
  if (data != setup_.data.end()) spec.data = data->second.path;
  spec.part_dir = folder_.make_part_dir(spec.launch_id);

  const auto started = std::chrono::system_clock::now();
  double wall_seconds = 0;
  auto ended = run_ranks(spec, inbox, wall_seconds);
  auto result = rows_of_launch(launch, spec, setup_.plan.arms, ended);
  note_times(result, started, wall_seconds);
  count(counts_, worst_status(ended));
  if (ended.status == status::kOk) {
    add_extra(launch, spec.data, inbox, result);
  } else {
    const auto end = spec.launch_id + " " + status_text(ended.status, ended.reason);
    display_.print_line("launch " + end);
    counts_.told.insert(end);
  }
  store(result);
}

namespace {

// So that it is attempted again with --resume.
void set_partial(const std::string& purpose, LaunchResult& result) {
  for (auto& run : result.runs) {
    if (run.status != status::kOk) continue;
    run.status = status::kPartial;
    run.reason = "stopped before its " + purpose + " was measured";
  }
}

}  // namespace

// In processes of their own: beside other arms an arm's peak memory would be theirs too. What fails here has no row of it; the
// launch's times stand.
void Sweep::add_extra(const PlannedLaunch& launch, const std::string& data, SignalInbox& inbox, LaunchResult& result) {
  for (auto extra : launch.extra) {
    const auto folder = launch.spec.launch_id + "-" + extra.purpose;
    if (is_stopped(inbox)) return set_partial(extra.purpose, result);
    extra.data = data;
    extra.part_dir = folder_.make_part_dir(folder);
    double wall_seconds = 0;
    const auto ended = run_ranks(extra, inbox, wall_seconds);
    if (ended.status == status::kOk) {
      const auto measured = merge_parts(extra, find_arms(setup_.plan.arms, extra.arms));
      result.metrics.insert(result.metrics.end(), measured.metrics.begin(), measured.metrics.end());
    } else {
      if (ended.status != status::kPartial) ++counts_.failed;
      display_.print_line(extra.purpose + " of " + join(extra.arms, ", ") + ": not measured: " + ended.status + ": " +
                          ended.reason);
    }
    folder_.remove_parts(folder);
    if (ended.status == status::kPartial) set_partial(extra.purpose, result);
  }
}

// A disk that its part files have filled has room for a launch once they are gone: all that counts of them is in the result, and it
// packs to a third. That is the last launch then.
void Sweep::store(const LaunchResult& result) {
  const auto launch_id = result.runs.front().launch_id;
  try {
    folder_.commit(result);
    folder_.remove_parts(launch_id);
  } catch (const Error& error) {
    if (!is_disk_full(error)) throw;
    folder_.remove_parts(launch_id);
    folder_.commit(result);
    counts_.lost = error.what();
    display_.print_line(counts_.lost + "; launch " + launch_id +
                        " is stored, and the run ends. Free space, then continue with --out DIR --resume");
  }
}

void Sweep::tell_withheld() {
  std::vector<std::string> words;
  for (const auto& [name, value] : withheld_variables()) words.push_back(name + "=" + shown(value));
  if (!words.empty()) display_.print_line("not handed to the ranks, for the plan decides it: " + join(words, ", "));
}

LaunchOutcome Sweep::run_ranks(const LaunchSpec& spec, SignalInbox& inbox, double& wall_seconds) {
  const auto binding = setup_.launcher.binding(spec.ranks_per_node, setup_.hosts);
  if (!binding.is_bound && !any_started_) display_.print_line("binding: " + binding.words);
  if (!binding.quota.empty() && !any_started_) display_.print_line(binding.quota);
  if (!any_started_) tell_withheld();
  std::unique_ptr<RunningLaunch> launch;
  try {
    launch = setup_.launcher.start(spec, program(spec), {shown_on(display_), {}});
  } catch (const CannotRun& error) {
    return {status::kFailed, error.what(), {}, ""};
  }
  const auto end = drive_to_end(*launch, inbox);
  wall_seconds = end.wall_seconds;
  auto launched = judged(setup_.launcher, spec, end);
  counts_.stopped |= launched.job_is_over;
  return std::move(launched.ended);
}

// Only the first launch's way to its first step begins with the command; every launch's with its own start.
Program Sweep::program(const LaunchSpec& spec) {
  const auto unix_ns = [](std::chrono::system_clock::time_point time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
  };
  auto program = program_of(find_arms(setup_.plan.arms, spec.arms), setup_.installation, setup_.hosts);
  if (!any_started_ && setup_.started.is_first) program.environment["DDPBENCH_STARTED_UNIX_NS"] = unix_ns(setup_.started.time);
  program.environment["DDPBENCH_LAUNCHED_UNIX_NS"] = unix_ns(std::chrono::system_clock::now());
  any_started_ = true;
  return program;
}

void Sweep::announce(std::size_t index) {
  const auto& spec = setup_.plan.launches[index].spec;
  const auto& protocol = spec.protocol;
  seconds_left_ -= protocol.max_seconds_per_launch;
  const auto cell = setup_.side.empty() ? spec.cell_id : setup_.side + ": " + spec.cell_id;
  display_.start_launch({index + 1, setup_.plan.launches.size(), cell, protocol.max_seconds_per_launch,
                         setup_.sides * seconds_left_, protocol.min_super_blocks});
}

void commit_skips(ResultsFolder& folder, const Plan& plan) {
  LaunchResult skips;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty()) continue;
    auto rows = rows_without_samples(launch, {status::kSkipped, launch.skip_reason, {}, ""});
    std::move(rows.runs.begin(), rows.runs.end(), std::back_inserter(skips.runs));
  }
  if (!skips.runs.empty()) folder.commit(std::move(skips));
}

}  // namespace ddpbench
