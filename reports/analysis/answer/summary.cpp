#include "reports/analysis/answer/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/analysis/verdicts/row_words.hpp"
#include "reports/analysis/words/wording.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/schema.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

// A label as one word: "resnet50_cifar10, batch 16" -> "resnet50_cifar10.batch_16".
std::string fom_word(const std::string& label) {
  std::string word;
  for (const char c : label) {
    if (c == ',') word += '.';
    if (c == ' ' && !word.empty() && word.back() != '.') word += '_';
    if (c != ',' && c != ' ') word += c;
  }
  return word;
}

using Line = std::array<std::string, 7>;

std::string verdict_text(const OverheadRow& row) {
  const auto verdict = row.verdict == verdict::kAmbiguous ? verdict_words(row) : row.verdict;
  if (row.budget_verdict.empty()) return verdict;
  return verdict + "; budget of " + plain_text(row.budget_percent) + " %: " + row.budget_verdict;
}

// Rows whose reason stands below the table.
bool needs_words(const Study& study, const OverheadRow& row) {
  const bool of_budget = !row.budget_verdict.empty() && row.budget_verdict != budget_verdict::kAccept;
  return !study.facts_of(row.arm).is_control() && (!is_resolved(row) || of_budget);
}

Line line_of(const Study& study, const OverheadRow& row) {
  const bool estimated = std::isfinite(row.overhead_us);
  const auto us = signed_text(row.overhead_us) + " " + interval_text(row.overhead_us_lo, row.overhead_us_hi);
  const auto percent = signed_text(row.overhead_percent) + " " + interval_text(row.overhead_percent_lo, row.overhead_percent_hi);
  const bool periodic = std::isfinite(row.periodic_us);
  const auto every_nth =
      " and " + signed_text(row.periodic_us) + " " + interval_text(row.periodic_us_lo, row.periodic_us_hi) + " every n-th";
  return {study.cell_of(row.cell_id).label,
          row.arm,
          row.clock,
          estimated ? us + (periodic ? every_nth : "") : "-",
          estimated ? percent : "-",
          duration_text(1e-3 * row.reference_step_ms) + ", " + std::to_string(row.pairs),
          verdict_text(row)};
}

// Bytes that continue a character take no place on the screen.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string aligned(const std::vector<Line>& lines) {
  std::array<std::size_t, std::tuple_size_v<Line>> widths{};
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) text += line[i] + std::string(widths[i] - width_of(line[i]) + 2, ' ');
    text += line.back() + "\n";
  }
  return text;
}

// What the drawing side needs of each arm: it reads no role out of a name.
nlohmann::ordered_json arms_json(const std::vector<ArmFacts>& arms) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& arm : arms) {
    json.push_back({{"arm", arm.name},
                    {"role", text_of(arm.role)},
                    {"reference", arm.reference},
                    {"program", arm.program},
                    {"is_delayed", arm.is_delayed()},
                    {"has_ideal_network", !arm.ideal_feature.empty()}});
  }
  return json;
}

bool is_shown(const OverheadRow& row) { return row.clock != clock_name::kProcessCpu; }

}  // namespace

std::vector<Fom> foms(const Study& study, const std::vector<OverheadRow>& rows) {
  std::vector<Fom> all;
  for (const auto& cell : study.cells) {
    for (const auto& family : cell.families) {
      const double step_s = family.on(Clock::kWall).step_s;
      if (std::isfinite(step_s)) all.push_back({"step_ms." + fom_word(cell.label) + "." + family.reference, 1e3 * step_s, "ms"});
    }
  }
  for (const auto& row : rows) {
    if (!is_shown(row) || study.facts_of(row.arm).is_control() || std::isnan(row.overhead_us)) continue;
    const auto name = fom_word(study.cell_of(row.cell_id).label) + "." + row.arm + "." + row.clock;
    all.push_back({"overhead_us." + name, row.overhead_us, "us"});
    if (std::isfinite(row.periodic_us)) all.push_back({"periodic_us." + name, row.periodic_us, "us"});
  }
  return all;
}

std::string overhead_text(const Study& study, const std::vector<OverheadRow>& rows) {
  std::vector<Line> lines{{"cell", "arm", "clock", "overhead (us)", "overhead (%)", "step, pairs", "verdict"}};
  std::string reasons;
  for (const auto& row : rows) {
    if (!is_shown(row)) continue;
    lines.push_back(line_of(study, row));
    if (!needs_words(study, row)) continue;
    reasons += "  " + study.cell_of(row.cell_id).label + ", " + row.arm + ", " + row.clock + ": " + row.reason + "\n";
  }
  return lines.size() == 1 ? "" : aligned(lines) + reasons;
}

nlohmann::ordered_json summary_json(const Study& study, const AnalysisResult& result) {
  nlohmann::ordered_json json;
  json["answer"] = result.answer;
  json["headlines"] = result.headlines;
  json["instrumentation"] = result.instrumentation;
  json["foms"] = nlohmann::ordered_json::array();
  for (const auto& fom : result.foms) json["foms"].push_back({{"name", fom.name}, {"value", fom.value}, {"unit", fom.unit}});
  json["experiment"] = study.settings.experiment;
  json["schema_version"] = kSchemaVersion;
  json["confidence_percent"] = 100 * study.settings.confidence;
  json["primary_clock"] = result.primary_clock;
  json["arms"] = arms_json(study.arms);
  json["counts"] = result.counts;
  json["margin_percent"] = study.settings.protocol.margin_percent;
  json["margin_us"] = study.settings.protocol.margin_us;
  json["block_steps"] = study.settings.protocol.block_steps;
  json["data_origins"] = study.data_origins;
  json["hosts"] = study.hosts;
  json["started_utc"] = study.started_utc;
  json["report_needs"] = result.report_needs;
  return json;
}

std::string fom_lines(const std::vector<Fom>& foms) {
  std::string text;
  for (const auto& fom : foms) {
    text += "FOM " + fom.name + " = " + shortest_text(fom.value) + " " + fom.unit + "\n";
  }
  return text;
}

}  // namespace ddpbench
