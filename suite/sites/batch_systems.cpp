#include "suite/sites/batch_systems.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

using Words = std::vector<std::string>;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// sbatch(1): --parsable prints "ID" or "ID;CLUSTER".
std::optional<std::string> slurm_job_id(const std::string& said) {
  const auto id = first_line(said.substr(0, said.find(';')));
  return is_number(id) ? std::optional(id) : std::nullopt;
}

// A line for each task of an array: "RUNNING", or "2 COMPLETED, 1 RUNNING".
std::string slurm_state(const std::string& said) {
  std::map<std::string, int> states;
  std::istringstream lines(said);
  for (std::string state; std::getline(lines, state);) ++states[state];
  if (states.size() == 1) return states.begin()->first;
  Words words;
  for (const auto& [state, count] : states) words.push_back(std::to_string(count) + " " + state);
  return join(words, ", ");
}

// qsub(1B): prints "ID.SERVER".
std::optional<std::string> pbs_job_id(const std::string& said) {
  const auto line = first_line(said);
  const auto number = line.substr(0, line.find_first_of(".["));
  return is_number(number) && line.find(' ') == std::string::npos ? std::optional(line) : std::nullopt;
}

// qstat(1B) -x -f: "    Exit_status = 1"; nothing where it says none.
std::optional<int> pbs_exit_status(const std::string& said) {
  constexpr std::string_view kKey = "Exit_status = ";
  const auto begin = said.find(kKey);
  if (begin == std::string::npos) return std::nullopt;
  return parse_number<int>(first_line(said.substr(begin + kKey.size())));
}

// In Slurm's words. A job that is to be continued has neither failed nor done all.
std::string pbs_end(const std::string& said) {
  const auto status = pbs_exit_status(said);
  if (!status || *status == static_cast<int>(ExitCode::kStopped)) return "FINISHED";
  return *status == 0 ? "COMPLETED" : "FAILED";
}

// The same: "    job_state = R".
std::string pbs_state(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find("job_state = ");
    if (begin == std::string::npos) continue;
    switch (line.back()) {
      case 'Q':
      case 'H':
      case 'W': return "PENDING";
      case 'R':
      case 'B': return "RUNNING";  // B: an array of which a task has begun
      case 'X':
      case 'F': return pbs_end(said);
      default: return line.substr(begin + 12);
    }
  }
  return "";
}

const std::array kSystems{
    BatchSystem{"slurm", "#SBATCH ", "slurm.sh", "--job-name=", "--time=", "--output=", "--qos=", "--array=", "%a",
                "SLURM_ARRAY_TASK_ID", "--exclude=",
                [] {
                  return Words{"sinfo", "--noheader", "--Node", "--format=%N"};
                },
                true,
                [](const std::string& script, const Words& after) {
                  Words command{"sbatch", "--parsable"};
                  if (!after.empty()) command.push_back("--dependency=afterany:" + join(after, ":"));
                  command.push_back(script);
                  return command;
                },
                slurm_job_id,
                [](const std::string& id) {
                  return Words{"squeue", "--noheader", "--array", "--states=all", "--format=%T", "--jobs=" + id};
                },
                slurm_state,
                [](const std::string& id) {
                  return Words{"scancel", id};
                }},
    BatchSystem{"pbs", "#PBS ", "pbs.sh", "-N ", "-l walltime=", "-j oe -o ", "", "-J ", "^array_index^", "PBS_ARRAY_INDEX", "",
                nullptr, false,
                [](const std::string& script, const Words& after) {
                  Words command{"qsub"};
                  if (!after.empty()) command.insert(command.end(), {"-W", "depend=afterany:" + join(after, ":")});
                  command.push_back(script);
                  return command;
                },
                pbs_job_id,
                [](const std::string& id) {
                  return Words{"qstat", "-x", "-f", id};
                },
                pbs_state,
                [](const std::string& id) {
                  return Words{"qdel", id};
                }},
};

}  // namespace

std::span<const BatchSystem> batch_systems() { return kSystems; }

}  // namespace ddpbench
