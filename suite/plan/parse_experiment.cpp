#include <utility>

#include "suite/plan/experiment.hpp"
#include "suite/plan/experiment_reader.hpp"
#include "suite/plan/experiment_source.hpp"

namespace ddpbench {
namespace {

// The settings of [quick], as if the command line had given them: out of the file's.
std::vector<Setting> take_quick(std::vector<Setting>& file) {
  std::vector<Setting> quick;
  for (auto& setting : file) {
    if (setting.section != "quick") continue;
    setting.section.clear();
    setting.from_command_line = true;
    quick.push_back(setting);
    setting.section = "quick";
  }
  std::erase_if(file, [](const Setting& setting) { return setting.section == "quick"; });
  return quick;
}

}  // namespace

Experiment parse_experiment(const std::string& toml_text, const std::string& origin, const Vocabulary& vocabulary,
                            const Overrides& overrides) {
  Mistakes mistakes;
  auto file = settings_from_toml(toml_text, origin);
  auto command_line = settings_from_command_line(overrides.settings, mistakes);
  auto quick = take_quick(file);
  if (overrides.quick && quick.empty())
    mistakes.add(origin + ": --quick: this experiment has no table [quick], which would say what a shorter run leaves out");
  if (overrides.quick) command_line.insert(command_line.begin(), quick.begin(), quick.end());
  SettingList settings(std::move(file), std::move(command_line), vocabulary, mistakes);
  auto experiment = ExperimentReader(origin, vocabulary, settings, mistakes).read(overrides.constraints);
  mistakes.throw_if_any();
  experiment.origin.path = origin;
  return experiment;
}

}  // namespace ddpbench
