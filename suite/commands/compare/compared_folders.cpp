#include "suite/commands/compare/compared_folders.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "reports/analysis/answer/summary.hpp"
#include "reports/analysis/regression/compared_tables.hpp"
#include "reports/analysis/regression/folder_values.hpp"
#include "reports/analysis/regression/machine_formats.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/compare/interleaved_sweeps.hpp"
#include "suite/commands/report/draw_page.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/commands/report/run_end.hpp"

namespace ddpbench {
namespace {

constexpr const char* kPageFile = "comparison.json";  // what the page says beside the tables

FolderValues values_of(const std::string& folder, const std::string& side) {
  const OpenedResults opened(folder);
  auto values = folder_values(open_study({opened.path()}));
  for (auto& damage : values.damage) damage = side + ": " + damage;
  for (auto& sentence : values.profiled) sentence = "Left out of " + side + ": " + sentence;
  return values;
}

// What must be read first, and the answer.
std::vector<std::string> sentences_of(const Compared& found) {
  auto sentences = found.left_out;
  const auto answer = comparison_sentences(found.comparison);
  sentences.insert(sentences.end(), answer.begin(), answer.end());
  return sentences;
}

std::vector<std::string> cells_of(const FolderValues& values) {
  std::vector<std::string> cells;
  for (const auto& one : values.values) {
    if (!holds(cells, one.cell_id)) cells.push_back(one.cell_id);
  }
  return cells;
}

std::string cell_phrase(const FolderValues& values) {
  const auto cells = cells_of(values);
  constexpr std::size_t kMostNamed = 3;
  if (cells.empty()) return "none that was measured";
  const std::vector<std::string> named(cells.begin(),
                                       cells.begin() + static_cast<std::ptrdiff_t>(std::min(kMostNamed, cells.size())));
  return join(named, ", ") + (cells.size() > kMostNamed ? ", …" : "");
}

void tell(const Compared& found, bool is_terminal, std::ostream& out) {
  for (const auto& sentence : found.damage) out << "damaged: " << sentence << '\n';
  const auto table = comparison_text(found.comparison);
  if (!table.empty()) out << table << '\n';
  for (const auto& sentence : sentences_of(found)) out << sentence << '\n';
  for (const auto& sentence : instruction_change_sentences(found.instructions)) out << sentence << '\n';
  const auto sureness = comparison_sureness(found.comparison);
  if (!sureness.empty()) out << "How sure: " << sureness << '\n';
  if (!found.differing.empty()) out << "What differs between the two (base | new):\n";
  for (const auto& line : found.differing) out << "  " << line << '\n';
  if (!is_terminal) out << fom_lines(comparison_foms(found.comparison));
}

// What the page says beside the tables, and what their columns hold.
nlohmann::ordered_json page_json(const ComparedFolders& folders, const Compared& found) {
  auto labels = nlohmann::ordered_json::object();
  for (const auto& row : found.comparison.rows) labels[row.cell_id] = row.label;
  const auto& rule = found.comparison.rule;
  return {{"base", folders.names.base},
          {"new", folders.names.fresh},
          {"base_again", !folders.again.empty()},
          {"sentences", sentences_of(found)},
          {"instructions", instruction_change_sentences(found.instructions)},
          {"how_sure", comparison_sureness(found.comparison)},
          {"damage", found.damage},
          {"differing", found.differing},
          {"labels", labels},
          {"primary_clock", entry_of(rule.primary_clock).name},
          {"confidence_percent", 100 * rule.confidence},
          {"threshold_percent", rule.threshold_percent},
          {"tables", schema_json(compared_tables()).at("tables")}};
}

void draw(const std::string& out) {
  const auto folder = std::filesystem::absolute(out).string();
  const auto drawn = draw_page(find_installation(), {"--comparison", folder}, out + "/comparison.html");
  if (!drawn.page.empty()) std::cout << "page: " << drawn.page << '\n';
  if (!drawn.why_not.empty()) std::cerr << "no page was drawn: " << drawn.why_not << std::endl;
}

void write_formats(const CompareArguments& arguments, const ComparedFolders& folders, const Compared& found,
                   const std::string& out) {
  const auto& comparison = found.comparison;
  std::cout.flush();  // before a file that is /dev/stdout
  const auto left_out = found.left_out.empty() ? std::string() : join(found.left_out, " ") + "\n\n";
  const auto markdown =
      left_out + comparison_markdown(comparison, folders.names) + instruction_change_markdown(found.instructions);
  if (!arguments.junit.empty()) write_named_file(arguments.junit, junit_xml(comparison, arguments.require_verdict));
  if (!arguments.json.empty()) write_named_file(arguments.json, benchmark_json(comparison));
  if (!arguments.markdown.empty()) write_named_file(arguments.markdown, markdown);
  if (out.empty()) return;
  replace_file(out + "/" + kComparisonFile, comparison_csv(comparison));
  replace_file(out + "/" + kInstructionChangesFile, instruction_changes_csv(found.instructions));
  replace_file(out + "/comparison.md", markdown);
  std::cout << "comparison: " << out << "/comparison.md\n" << std::flush;
  replace_file(out + "/" + kPageFile,
               page_json(folders, found).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  if (!arguments.tables_only) draw(out);
}

bool ends_as(const BuildComparison& comparison, std::string_view gate) {
  return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                     [&](const ComparedRow& row) { return row.counts && row.gate == gate; });
}

ExitCode exit_code_of(const Compared& found, bool require_verdict) {
  if (!found.damage.empty() || ends_as(found.comparison, gate::kRegression)) return ExitCode::kDoneWithFailures;
  const bool has_verdicts = ends_as(found.comparison, gate::kPass) && !ends_as(found.comparison, gate::kOpen);
  return require_verdict && !has_verdicts ? ExitCode::kNoVerdict : ExitCode::kDone;
}

}  // namespace

ComparedFolders folders_of(const std::string& out, const ComparisonRecord& record) {
  return {{record.base, record.fresh},
          out + "/" + side_folder::kBase,
          out + "/" + side_folder::kNew,
          record.again ? out + "/" + side_folder::kAgain : "",
          record,
          true};
}

Compared compare_folders(const ComparedFolders& folders) {
  const auto base = values_of(folders.base, "base");
  const auto fresh = values_of(folders.fresh, "new");
  const auto again = folders.again.empty() ? FolderValues() : values_of(folders.again, "base again");
  const ComparisonRule rule{folders.record.threshold_percent, folders.record.costs_only, folders.in_turn, base.primary_clock,
                            base.confidence};
  Compared found{compare_builds(base.values, fresh.values, again.values, rule),
                 instruction_changes(base.counts, fresh.counts, again.counts, rule),
                 {},
                 differing_facts(base, fresh),
                 {}};
  for (const auto* side : {&base, &fresh, &again}) {
    found.damage.insert(found.damage.end(), side->damage.begin(), side->damage.end());
    found.left_out.insert(found.left_out.end(), side->profiled.begin(), side->profiled.end());
  }
  if (found.comparison.rows.empty() && !folders.in_turn)
    throw UsageError("base and new have no cell in common: base has " + cell_phrase(base) + "; new has " + cell_phrase(fresh) +
                     (found.left_out.empty() ? "" : ". " + join(found.left_out, " ")));
  return found;
}

ExitCode judge_comparison(const CompareArguments& arguments, const ComparedFolders& folders, const std::string& out) {
  const auto found = compare_folders(folders);
  tell(found, view_of(STDOUT_FILENO).is_terminal, std::cout);
  write_formats(arguments, folders, found, out);
  if (const auto no_pass = why_no_pass(found.comparison); !no_pass.empty()) std::cout << no_pass << '\n';
  std::cout << std::flush;
  return exit_code_of(found, arguments.require_verdict);
}

}  // namespace ddpbench
