#include "suite/runs/site_check.hpp"

#include <set>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/formats/data_folder.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

constexpr double kModulesSeconds = 120;  // from a shared file system that is busy
constexpr std::size_t kMostWords = 300;
constexpr std::string_view kSetup = "@setup ", kProgram = "@program ", kWorker = "@worker ", kData = "@data ", kEnd = "@end";

// Says so where the command fails, with its own words in one line.
std::string line_about(std::string_view mark, const std::string& command) {
  return "said=$(" + command + " 2>&1 >/dev/null) || echo \"" + std::string(mark) + "${said//$'\\n'/ }\"\n";
}

std::string in_one_line(const std::string& said) {
  std::vector<std::string> lines = split(said, '\n');
  std::erase(lines, "");
  return shown(join(lines, "; "), kMostWords);
}

// "" where they are all there.
std::string why_no_data(const Plan& plan, const std::string& data, const std::string& path) {
  if (path.empty()) return "--data " + data + ": it is empty here, or not set";
  std::set<std::string> names;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty() && !launch.dataset.empty()) names.insert(launch.dataset);
  }
  try {
    for (const auto& name : names) find_or_generate_data(find_data_set(name), {path, "", "", ""});
  } catch (const Error& error) {
    return "--data " + data + ": " + error.what();
  }
  return "";
}

}  // namespace

std::string site_check_script(const Site& site, const Installation& installation, const std::string& data) {
  // The lines stand as they do in the job's script: they may be one command together.
  std::string script = "trap 'echo \"" + std::string(kSetup) + "${BASH_COMMAND//$'\\n'/ }\"' ERR\n";
  for (const auto& line : site.setup) script += line + "\n";
  script += "trap - ERR\nset +eu\n";
  script += line_about(kProgram, shell_quoted(installation.program.string()) + " --version");
  script += line_about(kWorker, shell_quoted(installation.worker.string()) + " --list");
  if (!data.empty()) script += "echo \"" + std::string(kData) + "\"" + data + "\n";
  return script + "echo " + std::string(kEnd) + "\n";
}

std::vector<std::string> missing_for_jobs(const Site& site, const Installation& installation, const Plan& plan,
                                          const std::string& data) {
  const auto run =
      run_captured({{"/bin/bash", "-l", "-c", site_check_script(site, installation, data)}, {}, {}, {}}, kModulesSeconds);
  if (run.timed_out_s > 0) return {"the site's setup " + how_it_ended(run)};
  std::vector<std::string> missing;
  bool has_ended = false;
  for (const auto& line : split(run.out, '\n')) {
    const auto told = [&](std::string_view mark) { return shown(line.substr(mark.size()), kMostWords); };
    has_ended |= line == kEnd;
    if (line.starts_with(kSetup)) missing.push_back("'" + told(kSetup) + "' fails: " + in_one_line(run.err));
    if (line.starts_with(kProgram))
      missing.push_back(installation.program.string() + " does not start behind the site's setup: " + told(kProgram));
    if (line.starts_with(kWorker))
      missing.push_back(installation.worker.string() + " does not start behind the site's setup: " + told(kWorker));
    if (!line.starts_with(kData)) continue;
    if (auto why = why_no_data(plan, data, line.substr(kData.size())); !why.empty()) missing.push_back(std::move(why));
  }
  if (!has_ended) missing.push_back("the site's setup ends the script: it " + how_it_ended(run) + "; " + in_one_line(run.err));
  return missing;
}

}  // namespace ddpbench
