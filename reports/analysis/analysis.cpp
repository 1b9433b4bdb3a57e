#include "reports/analysis/analysis.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/answer/backend_phrases.hpp"
#include "reports/analysis/answer/banner.hpp"
#include "reports/analysis/answer/bottleneck_phrases.hpp"
#include "reports/analysis/answer/collective_phrases.hpp"
#include "reports/analysis/answer/glossary.hpp"
#include "reports/analysis/answer/headlines.hpp"
#include "reports/analysis/answer/instrumentation.hpp"
#include "reports/analysis/answer/spoken_answer.hpp"
#include "reports/analysis/answer/summary.hpp"
#include "reports/analysis/answer/training_phrases.hpp"
#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/findings/ladder.hpp"
#include "reports/analysis/findings/network/backend_shares.hpp"
#include "reports/analysis/findings/network/collective_findings.hpp"
#include "reports/analysis/findings/network/slow_nodes.hpp"
#include "reports/analysis/findings/sizes/batch_memory.hpp"
#include "reports/analysis/findings/sizes/scaling.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/findings/sizes/training_cost.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/report_tables.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "reports/analysis/written_tables.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/store/folder_state.hpp"

namespace ddpbench {
namespace {

bool is_open(const OverheadRow& row) {
  return row.budget_verdict.empty() ? !is_resolved(row) : row.budget_verdict == budget_verdict::kUndecided;
}

bool is_over_budget(const OverheadRow& row) { return row.budget_verdict == budget_verdict::kReject; }

std::string why_open(const OverheadRow& row) { return row.reason; }

std::string budget_phrase(const OverheadRow& row) {
  return overhead_phrase(row) + ", budget of " + plain_text(row.budget_percent) + " %";
}

// The arms that are no controls and of which `is_so` holds on the primary clock, as "arm on cell: words".
std::vector<std::string> arms_that(const Study& study, const AnalysisResult& result, bool (*is_so)(const OverheadRow&),
                                   std::string (*words)(const OverheadRow&)) {
  std::vector<std::string> arms;
  for (const auto& row : result.overhead) {
    if (row.clock != result.primary_clock || study.facts_of(row.arm).is_control() || !is_so(row)) continue;
    arms.push_back(row.arm + " on " + row.cell_id + ": " + words(row));
  }
  return arms;
}

constexpr std::size_t kMostSizeGroups = 3;

// Where nothing was trained.
void answer_by_collectives(AnalysisResult& result) {
  result.answer = result.of_collectives;
  result.how_sure = {sentences_of(collective_sureness(result.collectives))};
  result.report_needs.clear();
  const auto foms = collective_foms(result.collectives);
  result.foms.insert(result.foms.end(), foms.begin(), foms.end());
}

// Whether to suggest the experiment `claim`: Lightning costs something, and no feature was left out to see why.
bool asks_features(const Study& study, const std::vector<OverheadRow>& rows, const std::vector<LadderRow>& ladder) {
  const auto leaves_out = [](const LadderRow& row) { return row.kind == ladder_kind::kLeaveOneOut; };
  if (std::any_of(ladder.begin(), ladder.end(), leaves_out)) return false;
  return std::any_of(rows.begin(), rows.end(), [&](const OverheadRow& row) {
    return row.verdict == verdict::kSlower && row.clock == entry_of(study.primary_clock).name &&
           study.facts_of(row.arm).is_subject() && study.facts_of(row.arm).base == "py_lightning";
  });
}

// Fills what follows from the overhead rows that it has.
void fill(AnalysisResult& result, const Findings& findings, const TrainingCostRequest& request) {
  const auto& study = findings.study;
  const auto& disturbed = findings.get<Disturbances>();
  result.primary_clock = entry_of(study.primary_clock).name;
  result.banner = banner(study, result.overhead, disturbed);
  auto spoken = spoken_answer(findings);
  result.answer = std::move(spoken.sentences);
  result.how_sure = std::move(spoken.how_sure);
  result.controls = std::move(spoken.controls);
  result.arms = subject_phrase(study);
  result.asks_features = asks_features(study, result.overhead, findings.rows<LadderRow>());
  result.shares = std::move(spoken.shares);
  result.laws = std::move(spoken.laws);
  if (!is_throttled(disturbed)) result.where = bottleneck_sentences(findings);
  if (!is_throttled(disturbed)) result.trainings = whole_training_sentences(findings);
  if (!is_throttled(disturbed))
    result.sizes =
        size_sentences(findings.rows<ScalingRow>(), study.first_reference(), kMostSizeGroups, study.vocabulary, request);
  if (!result.sizes.empty()) {
    auto memory = memory_sentences(study, findings.rows<BatchMemoryRow>(), kMostSizeGroups);
    result.sizes.insert(result.sizes.end(), std::make_move_iterator(memory.begin()), std::make_move_iterator(memory.end()));
  }
  result.collectives = findings.rows<CollectiveRow>();
  result.of_collectives = collective_sentences(result.collectives);
  auto of_backends = backend_sentences(findings.rows<BackendShareRow>());
  std::move(of_backends.begin(), of_backends.end(), std::back_inserter(result.of_collectives));
  result.headlines = headlines(findings);
  result.instrumentation = instrumentation_phrase(study, result.overhead);
  result.foms = foms(study, result.overhead, disturbed);
  for (auto more : {share_foms(study, result.shares), law_foms(study, findings.rows<StepTimeLaw>()),
                    instruction_foms(study, findings.rows<InstructionRow>())})
    result.foms.insert(result.foms.end(), more.begin(), more.end());
  result.table = answer_table(study, result.overhead, disturbed);
  result.counts = study.counts;
  result.report_needs = why_nothing(study);
  if (study.cells.empty() && !result.collectives.empty()) answer_by_collectives(result);
  result.bad_nodes = bad_nodes(findings.rows<NodeRow>());
  result.stragglers = bad_nodes(nodes_of_sweep(study, false));
  for (const auto& bad : result.bad_nodes) result.headlines.insert(result.headlines.begin(), bad.reason + ".");
  result.without_verdict = arms_that(study, result, is_open, why_open);
  result.over_budget = arms_that(study, result, is_over_budget, budget_phrase);
}

// Returns verify's findings without its notes.
std::vector<std::string> faults_of(const FolderChecks& checks) {
  std::vector<std::string> faults;
  for (const auto& check : checks) {
    auto problems = check->problems();
    std::erase_if(problems, is_note);
    faults.insert(faults.end(), problems.begin(), problems.end());
  }
  return faults;
}

// Puts the damage in front of answer and headlines.
void say_damage(AnalysisResult& result, const std::vector<std::string>& damage) {
  if (damage.empty()) return;
  result.damage = damage;
  const auto warning = "THE RESULTS FOLDER IS DAMAGED (" + counted(static_cast<std::int64_t>(damage.size()), "fault") +
                       "; the first: " + damage.front() + "): no figure of it can be trusted.";
  result.answer.insert(result.answer.begin(), warning);
  result.headlines.insert(result.headlines.begin(), damage.begin(), damage.end());
}

// A link in its place is replaced and not followed, as files are.
void make_folder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_symlink(path, error)) std::filesystem::remove(path, error);
  std::filesystem::create_directories(path, error);
  if (error) throw file_error("cannot make the folder", path, error.value());
}

void replace_json(const std::string& path, const nlohmann::ordered_json& json) {
  replace_file(path, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void write_tables(const Findings& findings, const std::string& out_dir) {
  make_folder(out_dir + "/tables");
  in_parallel(kReportTables.size(), reading_threads(), [&](std::size_t i, std::size_t /*thread*/) {
    const auto table = kReportTables[i]();
    replace_file(out_dir + "/" + table.schema.file, table.text(findings));
  });
  replace_json(out_dir + "/tables/schema.json", schema_json(written_tables()));
}

}  // namespace

AnalysisResult analyse(const JoinedFolders& folders, const std::string& out_dir, const FolderChecks& checks,
                       const TrainingCostRequest& request) {
  const auto study = read_study(folders, checks);
  AnalysisResult result;
  result.overhead = overhead_rows(study);
  const Findings findings(study, result.overhead);
  write_tables(findings, out_dir);  // first: many threads find what one then puts into words
  fill(result, findings, request);
  say_damage(result, faults_of(checks));
  replace_json(out_dir + "/tables/summary.json", summary_json(study, result));
  return result;
}

}  // namespace ddpbench
