#include "reports/analysis/answer/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/analysis/answer/glossary.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/schema.hpp"

namespace ddpbench {
namespace {

// What the drawing side needs of each arm: it reads no role out of a name.
nlohmann::ordered_json arms_json(const std::vector<ArmFacts>& arms) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& arm : arms) {
    json.push_back({{"arm", arm.name},
                    {"role", text_of(arm.role)},
                    {"reference", arm.reference},
                    {"program", arm.program},
                    {"base", arm.base},
                    {"features", arm.features},
                    {"is_wrapper", arm.is_wrapper},
                    {"is_delayed", arm.is_delayed()},
                    {"has_ideal_network", !arm.ideal_feature.empty()}});
  }
  return json;
}

nlohmann::ordered_json rows_json(const std::vector<AnswerRow>& rows) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& row : rows) {
    json.push_back({{"cell", row.cell},
                    {"arm", row.arm},
                    {"step", row.step},
                    {"cost", row.cost},
                    {"share", row.share},
                    {"verdict", row.verdict},
                    {"resolves", row.resolves},
                    {"key", row.key},
                    {"reason", row.reason}});
  }
  return json;
}

bool has_interval(const Fom& fom) { return std::isfinite(fom.lo) && std::isfinite(fom.hi); }

nlohmann::ordered_json fom_json(const Fom& fom) {
  nlohmann::ordered_json json{{"name", fom.name}, {"value", fom.value}, {"unit", fom.unit}};
  if (has_interval(fom)) json["interval"] = {fom.lo, fom.hi};
  return json;
}

nlohmann::ordered_json shares_json(const std::vector<SpokenShare>& shares) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& [cell_id, arm, step_ms, share] : shares) {
    json.push_back({{"cell_id", cell_id},
                    {"arm", arm},
                    {"step_ms", step_ms},
                    {"source", name_of(share.source)},
                    {"percent", share.percent.value},
                    {"percent_lo", share.percent.lo},
                    {"percent_hi", share.percent.hi}});
  }
  return json;
}

nlohmann::ordered_json laws_json(const std::vector<SpokenLaw>& laws) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& law : laws) json.push_back({{"group", law.group}, {"arm", law.arm}, {"sentence", law.sentence}});
  return json;
}

bool is_shown(const OverheadRow& row) { return row.clock != clock_name::kProcessCpu; }

}  // namespace

std::string fom_word(const std::string& label) {
  std::string word;
  for (const char c : label) {
    if (c == ',') word += '.';
    if (c == ' ' && !word.empty() && word.back() != '.') word += '_';
    if (c != ',' && c != ' ') word += c == '=' ? '_' : c;
  }
  return word;
}

std::vector<Fom> foms(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& disturbances) {
  std::vector<Fom> all;
  for (const auto& cell : study.cells) {
    for (const auto& family : cell.families) {
      const double step_s = family.step_s();
      if (std::isfinite(step_s)) all.push_back({"step_ms." + fom_word(cell.label) + "." + family.reference, 1e3 * step_s, "ms"});
    }
  }
  const bool shows_wall = !is_throttled(disturbances);
  for (const auto& row : rows) {
    if (!is_shown(row) || (row.clock == clock_name::kWall && !shows_wall) || study.facts_of(row.arm).is_control() ||
        std::isnan(row.overhead_us.value))
      continue;
    const auto name = fom_word(study.cell_of(row.cell_id).label) + "." + row.arm + "." + row.clock;
    all.push_back({"overhead_us." + name, row.overhead_us.value, "us", row.overhead_us.lo, row.overhead_us.hi});
    if (std::isfinite(row.periodic_us.value)) {
      all.push_back({"periodic_us." + name, row.periodic_us.value, "us", row.periodic_us.lo, row.periodic_us.hi});
    }
  }
  return all;
}

std::vector<Fom> instruction_foms(const Study& study, const std::vector<InstructionRow>& rows) {
  std::vector<Fom> all;
  for (const auto& row : rows) {
    if (row.kind != instruction_kind::kArm || study.facts_of(row.arm).is_control() || std::isnan(row.extra.value)) continue;
    all.push_back({"extra_instructions." + fom_word(study.cell_of(row.cell_id).label) + "." + row.arm, row.extra.value,
                   "instructions", row.extra.lo, row.extra.hi});
  }
  return all;
}

std::vector<Fom> share_foms(const Study& study, const std::vector<SpokenShare>& shares) {
  std::vector<Fom> all;
  for (const auto& [cell_id, arm, step_ms, share] : shares) {
    const auto& percent = share.percent;
    if (std::isnan(percent.value)) continue;
    const std::string kind = share.source == ShareSource::kMeasured ? "measured_share." : "estimated_share.";
    all.push_back({kind + fom_word(study.label_of(cell_id)) + "." + arm, percent.value, "%", percent.lo, percent.hi});
  }
  return all;
}

std::vector<Fom> law_foms(const Study& study, const std::vector<StepTimeLaw>& laws) {
  std::vector<Fom> all;
  for (const auto& law : laws) {
    if (!law.line || law.clock != entry_of(study.primary_clock).name || !study.facts_of(law.arm).is_subject()) continue;
    const auto crossing = law_crossing(law, 0.05);
    if (crossing.kind != Crossing::Kind::kBounded || std::isnan(crossing.x.value)) continue;
    all.push_back({"step_ms_at_5_percent." + fom_word(law.group) + "." + law.arm, 1e-3 * crossing.x.value, "ms",
                   1e-3 * crossing.x.lo, 1e-3 * crossing.x.hi});
  }
  return all;
}

nlohmann::ordered_json summary_json(const Study& study, const AnalysisResult& result) {
  nlohmann::ordered_json json;
  json["banner"] = result.banner;
  json["answer"] = join(result.answer, " ");
  json["sentences"] = result.answer;
  json["how_sure"] = result.how_sure;
  json["shares"] = shares_json(result.shares);
  json["laws"] = laws_json(result.laws);
  json["where"] = result.where;
  json["whole_trainings"] = result.trainings;
  json["sizes"] = result.sizes;
  json["collectives"] = result.of_collectives;
  json["rows"] = rows_json(result.table.rows);
  json["rows_left_out"] = result.table.left_out;
  json["headlines"] = result.headlines;
  json["instrumentation"] = result.instrumentation;
  json["foms"] = nlohmann::ordered_json::array();
  for (const auto& fom : result.foms) json["foms"].push_back(fom_json(fom));
  json["experiment"] = study.settings.experiment;
  json["schema_version"] = kSchemaVersion;
  json["confidence_percent"] = 100 * study.settings.confidence;
  json["primary_clock"] = result.primary_clock;
  json["arms"] = arms_json(study.arms);
  json["words"] = glossary(study);
  json["subjects"] = result.arms;
  json["asks_features"] = result.asks_features;
  json["counts"] = result.counts;
  json["margin_percent"] = study.settings.protocol.margin_percent;
  json["margin_us"] = study.settings.protocol.margin_us;
  json["fastest_step"] = study.settings.protocol.fastest_step && study.primary_clock != Clock::kDevice;
  json["block_steps"] = study.settings.protocol.block_steps;
  json["data_origins"] = study.data_origins;
  json["hosts"] = study.hosts;
  json["started_utc"] = study.started_utc;
  json["report_needs"] = result.report_needs;
  return json;
}

std::string fom_lines(const std::vector<Fom>& foms) {
  constexpr int kFomDigits = 4;
  const auto number = [](double value) { return number_text(value, kFomDigits); };
  std::string text;
  for (const auto& fom : foms) {
    text += "FOM " + fom.name + " = " + number(fom.value) + " " + fom.unit;
    if (has_interval(fom)) text += " [" + number(fom.lo) + ", " + number(fom.hi) + "]";
    text += "\n";
  }
  return text;
}

}  // namespace ddpbench
