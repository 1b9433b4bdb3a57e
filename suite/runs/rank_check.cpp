#include "suite/runs/rank_check.hpp"

#include "suite/base/errors.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/child_subreaper.hpp"

namespace ddpbench {
std::string mistake_told_by(const RankProgram& program, const LaunchSpec& spec, const std::string& subject) {
  auto command = program.tokens;
  command.emplace_back("--check");
  for (auto& token : to_tokens(spec)) command.push_back(std::move(token));
  const ChildSubreaper subreaper;  // a module of the user's may fork what outlives it
  const auto run = run_captured({command, {}, {}, {}}, kRankCheckSeconds);
  subreaper.end_all();
  const bool came_to_its_end = program.last_line.empty() || run.err.ends_with(program.last_line + "\n");
  if (run.clean() && came_to_its_end) return "";
  if (run.clean()) return subject + ": the check ended with 0 before it was through: does it call os._exit?";
  const auto name = program.speaker + ": ";
  const auto said = run.err.rfind(name);
  auto text = said == std::string::npos ? run.err : run.err.substr(said + name.size());
  while (text.ends_with('\n')) text.pop_back();
  if (!run.why_killed.empty()) throw CannotRun(subject + ": the check " + how_it_ended(run));  // no mistake of the experiment's
  return text.empty() || run.signal != 0 ? subject + ": the check " + how_it_ended(run) : text;
}

}  // namespace ddpbench
