#include <iostream>
#include <memory>

#include "suite/commands/commands.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/probe.hpp"
#include "suite/plan/list_text.hpp"

namespace ddpbench {
namespace {

struct ListArguments {
  std::string section;
  bool json = false;
};

std::vector<ListedEntry> listed_launchers(const Installation& installation) {
  std::vector<ListedEntry> listed;
  for (const auto& launcher : launchers()) {
    listed.push_back({std::string(launcher.name), std::string(launcher.help), launcher.why_not(installation)});
  }
  return listed;
}

ExitCode print_list(const ListArguments& arguments) {
  const auto installation = find_installation();
  const auto vocabulary = read_vocabulary(installation.vocabulary().string());
  const auto availability = availability_from(kept_probe(installation, vocabulary.worker_build_id), launchers().front().name);
  const ListSources sources{vocabulary, availability, listed_launchers(installation)};
  if (arguments.json) {
    std::cout << list_json(sources, arguments.section).dump(2) << '\n';
  } else {
    std::cout << list_text(sources, arguments.section);
  }
  return ExitCode::kDone;
}

std::string section_help() {
  std::string help = "one of";
  for (const auto& section : list_sections()) help += " " + section;
  return help + "; all of them where it is left out";
}

}  // namespace

CommandAction declare_list(CLI::App& app) {
  const auto arguments = std::make_shared<ListArguments>();
  app.add_option("SECTION", arguments->section, section_help());
  app.add_flag("--json", arguments->json, "as JSON");
  return [arguments] { return print_list(*arguments); };
}

}  // namespace ddpbench
