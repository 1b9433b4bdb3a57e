#include "suite/commands/submit/submitted_jobs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/processes/launch_end.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/runs/submission.hpp"

namespace ddpbench {
namespace {

constexpr const char* kNotSubmitted = "not submitted";
constexpr const char* kNotKnown = "no longer known";
constexpr const char* kNotTold = "not told";
constexpr std::size_t kBarCells = 20, kMostLastWords = 300;
constexpr std::streamoff kMostOfALog = 1 << 16;

std::string state_phrase(const BatchSystem& system, const std::string& id, std::string& untold) {
  if (id.empty()) return kNotSubmitted;
  try {
    const auto state = state_of_job(system, id);
    return state.empty() ? kNotKnown : state;
  } catch (const CannotRun& error) {
    untold += std::string(error.what()) + "\n";
    return kNotTold;
  }
}

// Slurm's states of a job that has ended, squeue(1), PBS's word, and ours where nobody will tell more. Any other may still change.
constexpr std::array<std::string_view, 12> kEnded{"BOOT_FAIL", "CANCELLED", "COMPLETED",     "DEADLINE",
                                                  "FAILED",    "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
                                                  "TIMEOUT",   "FINISHED",  kNotSubmitted,   kNotKnown};

// "COMPLETED", or of an array "2 COMPLETED, 1 RUNNING".
bool may_go_on(const std::string& state) {
  const auto has_ended = [](const std::string& words) {
    return std::any_of(kEnded.begin(), kEnded.end(), [&](std::string_view ended) { return words.ends_with(ended); });
  };
  const auto tasks = split(state, ',');
  return !std::all_of(tasks.begin(), tasks.end(), has_ended);
}

std::string bar(std::int64_t finished, std::int64_t failed, std::int64_t launches) {
  const auto all = static_cast<std::size_t>(std::max<std::int64_t>(launches, 1));
  const auto done = std::min(kBarCells * static_cast<std::size_t>(finished) / all, kBarCells);
  const auto lost = std::min((kBarCells * static_cast<std::size_t>(failed) + all - 1) / all, kBarCells - done);
  return "[" + std::string(done, '#') + std::string(lost, 'x') + std::string(kBarCells - done - lost, '.') + "]";
}

std::string row_text(const std::vector<std::string>& words) {
  constexpr std::array<std::size_t, 6> kWidths{14, 14, 24, 24, 12, 8};
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += i < kWidths.size() ? padded(words[i], kWidths[i] - 1) + " " : words[i];
  return text + "\n";
}

std::string results_phrase(const std::string& folder, const SubmittedJob& job) {
  return results_path(folder, job.name) + (job.tasks == 0 ? "" : "-1 to -" + std::to_string(job.tasks));
}

std::string id_phrase(const std::string& id) { return id.empty() ? "-" : id; }

// The states of a job that came to nothing, squeue(1).
constexpr std::array<std::string_view, 6> kFailed{"BOOT_FAIL", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT"};

bool has_failed(const std::string& state) {
  return std::any_of(kFailed.begin(), kFailed.end(),
                     [&](std::string_view failed) { return state.find(failed) != std::string::npos; });
}

// PBS of a job that is to be continued or whose end it does not know, and Slurm of one that ended minutes ago.
bool says_no_more(const std::string& state) { return state == "FINISHED" || state == kNotKnown; }

std::string tail_of(const std::string& log) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(log, unknown)) return "";
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(file.tellg());
  file.seekg(std::max<std::streamoff>(0, size - kMostOfALog));
  return {std::istreambuf_iterator<char>(file), {}};
}

// The last line of ours among the last ones, or of whoever said something; "" where nobody did. What the batch system itself has done stands behind ours.
std::string last_words_in(const std::string& log) {
  LastLines last;
  for (const auto& line : split(tail_of(log), '\n')) last.add(line);
  if (last.empty()) return "";
  const auto is_ours = [](const std::string& line) { return line.find("ddpbench: ") != std::string::npos; };
  const auto& lines = last.all();
  const auto is_systems = [](const std::string& line) { return line.find("slurmstepd: ") != std::string::npos; };
  const auto ours = std::find_if(lines.rbegin(), lines.rend(), is_ours);
  return shown(ours == lines.rend() || is_systems(last.back()) ? last.back() : *ours, kMostLastWords);
}

// Why, and where more of it is: of an array task by task, as far as they say something.
std::string why_phrase(const std::string& folder, const std::string& job, std::int64_t tasks, const std::string& state) {
  constexpr std::size_t kMostLogs = 3;
  std::vector<std::string> told;
  for (std::int64_t task = tasks == 0 ? 0 : 1; task <= tasks; ++task) {
    const auto log = log_path(folder, job, tasks == 0 ? "" : std::to_string(task));
    const auto words = last_words_in(log);
    if (tasks == 0 || !words.empty())
      told.push_back("  " + (words.empty() ? "said nothing" : words) + "\n  its log: " + log + "\n");
  }
  const auto more = told.size() - std::min(told.size(), kMostLogs);
  told.resize(told.size() - more);
  return "job " + job + " " + state + "\n" + join(told, "") +
         (more == 0 ? "" : "  and " + std::to_string(more) + " more logs beside them\n");
}

}  // namespace

JobStates states_of_jobs(const std::string& folder) {
  const auto submission = read_submission(folder);
  const auto& system = find_entry(batch_systems(), "batch system", submission.batch_system);
  JobStates states;
  states.text = "experiment " + submission.experiment + " on " + submission.site + ", written " + submission.written_utc + "\n" +
                row_text({"job", "id", "state", "launches", "finished", "failed", "results"});
  for (const auto& job : submission.jobs) {
    const auto progress = progress_of(folder, job);
    const auto state = state_phrase(system, job.id, states.untold);
    const bool may_be_by_hand = job.id.empty() && progress.finished + progress.failed < job.launches;
    states.may_go_on |= may_go_on(state) || may_be_by_hand;
    const bool is_all = progress.finished >= job.launches;
    const bool is_short = says_no_more(state) && !is_all;
    const bool is_verdict = is_all && submission.results_command == "compare";  // 1: a regression
    if ((has_failed(state) && !is_verdict) || is_short) states.why += why_phrase(folder, job.name, job.tasks, state);
    states.text += row_text({job.name, id_phrase(job.id), state, bar(progress.finished, progress.failed, job.launches),
                             std::to_string(progress.finished) + " of " + std::to_string(job.launches),
                             std::to_string(progress.failed), results_phrase(folder, job)});
  }
  if (submission.is_collected) {
    const auto state = state_phrase(system, submission.collecting_id, states.untold);
    states.may_go_on |= may_go_on(state);
    if (has_failed(state)) states.why += why_phrase(folder, kCollectingJob, 0, state);
    states.text += row_text(
        {kCollectingJob, id_phrase(submission.collecting_id), state, "", "", "", folder + "/" + kStudyReport + "/report.html"});
  }
  return states;
}

ExitCode print_job_states(const std::string& folder) {
  const auto states = states_of_jobs(folder);
  std::cerr << states.untold;
  std::cout << states.text << states.why;
  return states.exit_code();
}

ExitCode cancel_jobs(const std::string& folder) {
  const auto submission = read_submission(folder);
  const auto& system = find_entry(batch_systems(), "batch system", submission.batch_system);
  std::vector<std::string> failures;
  const auto cancel = [&](const std::string& name, const std::string& id) {
    if (id.empty()) {
      std::cout << "job " << name << " was not submitted by ddpbench: if you did, cancel it yourself\n";
      return;
    }
    try {
      cancel_job(system, id);
      std::cout << "cancelled: job " << name << " (" << id << "); what it has measured stays\n";
    } catch (const CannotRun& error) {
      failures.emplace_back("job " + name + " (" + id + "): " + error.what());
    }
  };
  if (submission.is_collected) cancel(kCollectingJob, submission.collecting_id);  // first: it would begin behind the others
  for (const auto& job : submission.jobs) cancel(job.name, job.id);
  if (!failures.empty()) throw CannotRun("not cancelled: " + join(failures, "\n  "));
  return ExitCode::kDone;
}

}  // namespace ddpbench
