#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reports/analysis/regression/compared_tables.hpp"
#include "reports/analysis/written_tables.hpp"
#include "suite/commands/command.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/tables/table_schema.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/probe/worker_probe.hpp"
#include "suite/plan/find_experiment.hpp"
#include "suite/plan/list_text.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/sites/read_site.hpp"

namespace ddpbench {
namespace {

std::string column_text(const ColumnSchema& column, std::size_t width) {
  const auto unit = column.unit.empty() ? "" : " [" + column.unit + "]";
  return "  " + padded(column.name, width) + "  " + padded(column.type, 7) + "  " + column.help + unit + "\n";
}

std::string table_text(const TableSchema& table) {
  std::size_t width = 0;
  for (const auto& column : table.columns) width = std::max(width, column.name.size());
  auto text = table.file + ": a row is " + table.row_is + "\n";
  for (const auto& column : table.columns) text += column_text(column, width);
  return text;
}

// The tables for a person: a paragraph per file, a line per column.
std::string tables_text(const std::vector<TableSchema>& tables) {
  std::string text;
  for (const auto& table : tables) text += (text.empty() ? "" : "\n") + table_text(table);
  return text + "\nan empty number was not measured; a flag is 0 or 1\n";
}

struct ListArguments {
  std::string section;
  bool json = false;
};

std::vector<ListedEntry> listed_launchers(const Vocabulary& vocabulary, const Installation& installation) {
  std::vector<ListedEntry> listed;
  const auto allocation = find_allocation();
  for (const auto& launcher : vocabulary.launchers) {
    const auto why_not = find_entry(launchers(), "launcher", launcher.name).why_not(installation, allocation);
    listed.push_back({launcher.name, launcher.help, why_not, launcher.options});
  }
  return listed;
}

std::vector<ListedEntry> listed_sites(const std::filesystem::path& folder) {
  std::vector<ListedEntry> listed;
  for (const auto& name : site_names(folder)) {
    try {
      listed.push_back({name, find_site(name, folder).description, ""});
    } catch (const UsageError& error) {
      listed.push_back({name, "", error.what()});
    }
  }
  return listed;
}

std::vector<ListedEntry> listed_experiments(const std::string& share) {
  std::vector<ListedEntry> listed;
  for (const auto& name : shipped_experiments(share)) {
    listed.push_back({name, experiment_question(find_experiment(name, share).text), ""});
  }
  return listed;
}

std::vector<TableSchema> all_tables() {
  auto tables = written_tables();
  for (auto& table : compared_tables()) tables.push_back(std::move(table));
  return tables;
}

std::vector<ListedEntry> listed_tables() {
  std::vector<ListedEntry> listed;
  for (const auto& table : all_tables()) listed.push_back({table.file, "a row is " + table.row_is, ""});
  return listed;
}

// Needs no worker beside the program: the build makes share/ddpbench/schema.json by it.
ExitCode print_tables(bool json) {
  const auto tables = all_tables();
  std::cout << (json ? schema_json(tables).dump(2) + "\n" : tables_text(tables));
  return ExitCode::kDone;
}

ExitCode print_list(const ListArguments& arguments) {
  if (arguments.section == "tables") return print_tables(arguments.json);
  const auto installation = find_installation();
  const auto vocabulary = installed_vocabulary(installation);
  const auto availability = availability_of_machine(kept_probe(installation, vocabulary.worker_build_id));
  const ListSources sources{vocabulary,
                            availability,
                            listed_launchers(vocabulary, installation),
                            listed_sites(installation.sites()),
                            listed_tables(),
                            listed_experiments(installation.share.string())};
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
  return help + "; left out: the names in all of them";
}

CommandAction declare_list(CLI::App& app) {
  const auto arguments = std::make_shared<ListArguments>();
  app.add_option("SECTION", arguments->section, section_help());
  app.add_flag("--json", arguments->json, "as JSON");
  return [arguments] { return print_list(*arguments); };
}

}  // namespace

CommandEntry list_command() {
  return {"list",
          "Lists what an experiment can use on this machine",
          "Prints the names of experiments, arms, features, strategies, backends, workloads, precisions, launchers, metrics,\n"
          "sites and tables; with a SECTION, what each of them is, with its options.\n"
          "For what cannot be used here, it gives the reason.",
          "ddpbench list strategies",
          "0 done; 2 a mistake in the command",
          declare_list};
}

}  // namespace ddpbench
