#include "suite/sites/batch_script.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::int64_t kMoreRestarts = 9;  // beyond twice the parts that are planned: a job must not begin for ever

// 0 has no value: an option that needs it cannot be written.
Values values_of(const Site& site, const Job& job) {
  const auto nodes = job.nodes;
  const auto ranks = std::max(site.node_gpus, job.node_ranks);
  Values values;
  const auto set = [&values](const char* name, std::int64_t value) {
    if (value > 0) values[name] = std::to_string(value);
  };
  set("nodes", nodes);
  set("node_ranks", ranks);
  set("ranks", nodes * ranks);
  set("node_gpus", site.node_gpus);
  set("gpus", nodes * site.node_gpus);
  set("node_cores", site.node_cores);
  set("cores", nodes * site.node_cores);
  set("rank_cores", site.node_cores / ranks);
  set("node_memory_gib", site.node_memory_gib);
  set("memory_gib", nodes * site.node_memory_gib);
  return values;
}

std::string filled(const std::string& option, const Values& values, const std::string& origin) {
  std::string text;
  for (std::size_t at = 0; at < option.size();) {
    const auto begin = option.find('{', at);
    if (begin == std::string::npos) return text + option.substr(at);
    const auto end = option.find('}', begin);  // it is there: read_site() has looked
    const auto name = option.substr(begin + 1, end - begin - 1);
    const auto value = values.find(name);
    if (value == values.end())
      throw UsageError(origin + ": '" + option + "': this site does not say what {" + name + "} is: give its [node] all keys");
    text += option.substr(at, begin - at) + value->second;
    at = end + 1;
  }
  return text;
}

// Those that every job of a site has.
std::vector<std::string> first_options(const BatchSystem& system, const Site& site, const ScriptFacts& facts) {
  std::vector<std::string> options{std::string(system.name_option) + facts.job_name};
  if (site.account.empty()) return options;
  if (facts.account.empty()) throw UsageError("site '" + site.name + "' needs to know who pays: give --account NAME");
  options.push_back(filled(site.account, {{"account", facts.account}}, site.origin));
  return options;
}

std::vector<std::string> options_of(const BatchSystem& system, const Site& site, const Job& job, const ScriptFacts& facts) {
  const auto values = values_of(site, job);
  auto options = first_options(system, site, facts);
  for (const auto* list : {&site.directives, &site.resources}) {
    for (const auto& option : *list) options.push_back(filled(option, values, site.origin));
  }
  options.push_back(std::string(system.time_option) + time_text(job.minutes));
  if (!job.quality.empty() && !system.quality_option.empty()) options.push_back(std::string(system.quality_option) + job.quality);
  if (job.tasks > 0) options.push_back(std::string(system.array_option) + "1-" + std::to_string(job.tasks));
  options.push_back(std::string(system.output_option) + facts.log);
  options.insert(options.end(), facts.options.begin(), facts.options.end());
  return options;
}

std::vector<std::string> collecting_options(const BatchSystem& system, const Site& site, const ScriptFacts& facts) {
  Job one;
  one.node_ranks = 1;
  const auto values = values_of(site, one);
  auto options = first_options(system, site, facts);
  for (const auto& option : site.collect) options.push_back(filled(option, values, site.origin));
  options.push_back(std::string(system.output_option) + facts.log);
  return options;
}

std::string lines_of(const BatchSystem& system, const std::vector<std::string>& options) {
  std::string lines;
  for (const auto& option : options) {
    if (!is_printable_line(option))
      throw UsageError("option '" + printable(option) + "' of a job: must be a single line of printable characters");
    lines += std::string(system.directive) + option + "\n";
  }
  return lines;
}

std::string setup_lines(const Site& site) { return site.setup.empty() ? "" : join(site.setup, "\n") + "\n"; }

// Places of a template and what stands there in the script.
using Contents = std::map<std::string, std::string>;

// In one pass over the template: a place's name within a value, a folder's for example, is text. Throws CannotRun where a place is not there.
std::string script_of(const std::string& script_template, const Contents& contents) {
  std::map<std::size_t, Contents::const_iterator> places;
  for (auto content = contents.begin(); content != contents.end(); ++content) {
    const auto& place = content->first;
    if (script_template.find(place) == std::string::npos)
      throw CannotRun("a script's template has no " + place + ": the installation is damaged");
    for (auto at = script_template.find(place); at != std::string::npos; at = script_template.find(place, at + place.size()))
      places[at] = content;
  }
  std::string script;
  std::size_t end = 0;
  for (const auto& [begin, content] : places) {
    script += script_template.substr(end, begin - end) + content->second;
    end = begin + content->first.size();
  }
  return script + script_template.substr(end);
}

}  // namespace

const std::vector<Placeholder>& placeholders() {
  static const std::vector<Placeholder> kPlaceholders{
      {"nodes", "nodes of the job"},
      {"node_ranks", "ranks of a node: one for each GPU, or the most that a cell has"},
      {"ranks", "the same of all nodes"},
      {"node_gpus", "GPUs of a node"},
      {"gpus", "of all nodes"},
      {"node_cores", "cores of a node"},
      {"cores", "of all nodes"},
      {"rank_cores", "cores of a node for each of its ranks"},
      {"node_memory_gib", "memory of a node"},
      {"memory_gib", "of all nodes"},
  };
  return kPlaceholders;
}

std::string batch_script(const std::string& script_template, const Site& site, const Job& job, const ScriptFacts& facts) {
  const auto& system = find_entry(batch_systems(), "batch system", site.batch_system);
  Contents contents{{"@OPTIONS@\n", lines_of(system, options_of(system, site, job, facts))},
                    {"@SETUP@\n", setup_lines(site)},
                    {"@RESULTS@", facts.results},
                    {"@RUN@", facts.run}};
  if (system.begins_again) {
    contents["@MOST_RESTARTS@"] = std::to_string(2 * job.parts + kMoreRestarts);
    contents["@PROGRAM@"] = facts.program;
    contents["@PAGE@"] = facts.page;
  }
  return script_of(script_template, contents);
}

std::string collecting_script(const std::string& script_template, const Site& site, const ScriptFacts& facts) {
  const auto& system = find_entry(batch_systems(), "batch system", site.batch_system);
  return script_of(script_template, {{"@OPTIONS@\n", lines_of(system, collecting_options(system, site, facts))},
                                     {"@SETUP@\n", setup_lines(site)},
                                     {"@RUN@", facts.run}});
}

}  // namespace ddpbench
