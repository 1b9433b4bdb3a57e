#include "suite/plan/list_text.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/plan/legal_value.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

// What a section's entries have in common once looked at.
struct Row {
  std::string name, help, why_not;
  bool unknown_here = false;  // not probed
  std::vector<OptionEntry> options{};
  std::string unit{};
  std::vector<std::string> features{}, takes{};
  std::string needs{};                                       // "device cuda"
  std::vector<std::pair<const char*, std::string>> facts{};  // {"reference", "raw"}: what an arm is there for, what features ask
};

struct Section {
  const char* name;
  const char* about;
  const char* kind;  // the key in Availability::why_not; "": there is nothing to probe
  std::vector<Row> (*rows)(const Section& section, const ListSources& sources);
};

std::string needs_of(const EntryView& entry) {
  std::string text;
  if (entry.only == nullptr) return text;
  for (const auto& [axis, values] : *entry.only) text += (text.empty() ? "" : "; ") + axis + " " + listed(values);
  return text;
}

std::string reason_of(const Availability& availability, const std::string& kind, const EntryView& entry) {
  if (!entry.why_not_built.empty()) return "not built: " + std::string(entry.why_not_built);
  const auto reasons = availability.why_not.find(kind);
  if (reasons == availability.why_not.end()) return "";
  const auto reason = reasons->second.find(std::string(entry.name));
  return reason == reasons->second.end() ? "" : "not available here: " + reason->second;
}

void add_fact(Row& row, const char* key, const std::string& text) {
  if (!text.empty()) row.facts.emplace_back(key, text);
}

std::string words_of(const std::vector<std::string>& list) { return list.empty() ? std::string() : listed(list); }

void add_facts(const ArmEntry& arm, Row& row) {
  row.features = arm.features;
  row.takes = arm.takes;
  std::vector<std::string> bundles;
  for (const auto& [bundle, parts] : arm.bundles) bundles.push_back(bundle + ": " + words_of(parts));
  add_fact(row, "bundles", join(bundles, "; "));
  add_fact(row, "role", arm.role == ArmRole::kSubject ? "" : text_of(arm.role));
  add_fact(row, "reference", arm.reference);
  add_fact(row, "program", arm.program == kWorkerProgram ? "" : arm.program);
}

void add_facts(const FeatureEntry& feature, Row& row) {
  add_fact(row, "value", feature.value ? legal_text(*feature.value) + ", by default " + feature.value->default_value : "");
  add_fact(row, "bundle", words_of(feature.bundle));
  add_fact(row, "requires", words_of(feature.requires_features));
  add_fact(row, "excludes", words_of(feature.excludes_features));
  add_fact(row, "makes", feature.makes ? text_of(*feature.makes) : "");
  add_fact(row, "without_makes", feature.without_makes ? text_of(*feature.without_makes) : "");
}

void add_facts(const MetricEntry& metric, Row& row) { row.unit = metric.unit; }

// Of the vocabulary's tables.
template <auto Table>
std::vector<Row> named_rows(const Section& section, const ListSources& sources) {
  std::vector<Row> rows;
  for (const auto& entry : sources.vocabulary.*Table) {
    const auto view = view_of(entry);
    Row row{entry.name, entry.help, reason_of(sources.availability, section.kind, view)};
    row.options.assign(view.options.begin(), view.options.end());
    row.needs = needs_of(view);
    if constexpr (requires { add_facts(entry, row); }) add_facts(entry, row);
    row.unknown_here = row.why_not.empty() && *section.kind != '\0' && !sources.availability.probed;
    rows.push_back(std::move(row));
  }
  return rows;
}

// Of what the vocabulary does not hold.
template <auto List>
std::vector<Row> listed_rows(const Section& /*section*/, const ListSources& sources) {
  std::vector<Row> rows;
  for (const auto& entry : sources.*List) rows.push_back({entry.name, entry.help, entry.why_not, false, entry.options});
  return rows;
}

using S = ListSources;
using V = Vocabulary;
constexpr std::array<Section, 11> kSections{
    {{"experiments", "what is shipped; `ddpbench run NAME`", "", listed_rows<&S::experiments>},
     {"arms", "who drives the step; arms = [\"raw\", \"trainer\"]", "arm", named_rows<&V::arms>},
     {"features", "parts of an arm; trainer+NAME adds one, trainer-fetch takes one away, NAME=VALUE sets one", "feature",
      named_rows<&V::features>},
     {"strategies", "how replicas meet; axes.strategy", "strategy", named_rows<&V::strategies>},
     {"backends", "collectives; axes.backend", "backend", named_rows<&V::backends>},
     {"workloads", "model, data set, loss and optimizer; axes.workload", "workload", named_rows<&V::workloads>},
     {"precisions", "number formats of the step; axes.precision", "precision", named_rows<&V::precisions>},
     {"launchers", "what starts the ranks; --launcher", "", listed_rows<&S::launchers>},
     {"metrics", "what is measured", "", named_rows<&V::metrics>},
     {"sites", "clusters that are described", "", listed_rows<&S::sites>},
     {"tables", "CSV files of a results folder or a comparison; `ddpbench list tables` shows their columns", "",
      listed_rows<&S::tables>}}};

std::string row_text(const Row& row, std::size_t width) {
  std::string text = "  " + padded(row.name, width) + "  " + row.help;
  if (!row.unit.empty()) text += " [" + row.unit + "]";
  if (!row.features.empty()) text += " (features: " + listed(row.features) + ")";
  if (!row.takes.empty()) text += " (takes: " + listed(row.takes) + ")";
  if (!row.needs.empty()) text += " (needs " + row.needs + ")";
  for (const auto& [key, fact] : row.facts) text += " (" + std::string(key) + ": " + fact + ")";
  if (!row.why_not.empty()) text += "  -- " + row.why_not;
  text += "\n";
  for (const auto& option : row.options) {
    text += "      " + option.name + " = " + option.default_value + "   " + option.help + " (" + legal_text(option) + ")\n";
  }
  return text;
}

std::string section_text(const Section& section, const ListSources& sources) {
  const auto rows = section.rows(section, sources);
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.name.size());
  std::string text = std::string(section.name) + ": " + section.about + "\n";
  if (rows.empty()) return text + "  (none)\n";
  for (const auto& row : rows) text += row_text(row, width);
  return text;
}

constexpr std::size_t kMostNames = 24;    // of more the number is told
constexpr std::size_t kLineLength = 100;  // characters

// "  gloo, mpi", in lines that fit.
std::string names_text(const std::vector<Row>& rows) {
  std::string text, line = " ";
  for (const auto& row : rows) {
    const bool is_last = &row == &rows.back();
    if (line.size() + 1 + row.name.size() >= kLineLength) text += std::exchange(line, " ") + "\n";
    line += " " + row.name + (is_last ? "" : ",");
  }
  return text + line + "\n";
}

// Names alone, and of what is not possible here the reason.
std::string overview_text(const Section& section, const ListSources& sources) {
  auto rows = section.rows(section, sources);
  auto text = std::string(section.name) + ": " + section.about + "\n";
  const auto missing = std::stable_partition(rows.begin(), rows.end(), [](const Row& row) { return row.why_not.empty(); });
  const std::vector<Row> possible(rows.begin(), missing);
  if (possible.size() > kMostNames) {
    text += "  " + std::to_string(possible.size()) + " of them\n";
  } else {
    text += possible.empty() ? "  none\n" : names_text(possible);
  }
  for (auto row = missing; row != rows.end(); ++row) text += "  " + row->name + "  -- " + row->why_not + "\n";
  return text;
}

Json option_json(const OptionEntry& option) {
  Json json{{"name", option.name}, {"default", option.default_value}, {"legal", legal_text(option)}, {"help", option.help}};
  if (!option.legal.empty()) json["values"] = option.legal;
  return json;
}

Json row_json(const Row& row) {
  Json json{{"name", row.name}, {"help", row.help}};
  if (!row.unit.empty()) json["unit"] = row.unit;
  json["available"] = row.unknown_here ? Json(nullptr) : Json(row.why_not.empty());
  if (!row.why_not.empty()) json["why_not"] = row.why_not;
  if (!row.features.empty()) json["features"] = row.features;
  if (!row.takes.empty()) json["takes"] = row.takes;
  if (!row.needs.empty()) json["needs"] = row.needs;
  for (const auto& [key, fact] : row.facts) json[key] = fact;
  for (const auto& option : row.options) json["options"].push_back(option_json(option));
  return json;
}

std::vector<const Section*> chosen(const std::string& name) {
  std::vector<const Section*> sections;
  for (const auto& section : kSections) {
    if (name.empty() || name == section.name) sections.push_back(&section);
  }
  if (sections.empty()) throw UsageError(unknown_message("list", name, list_sections()));
  return sections;
}

}  // namespace

std::vector<std::string> list_sections() {
  std::vector<std::string> names;
  for (const auto& section : kSections) names.emplace_back(section.name);
  return names;
}

std::string list_text(const ListSources& sources, const std::string& section) {
  std::string text;
  for (const auto* one : chosen(section))
    text += section.empty() ? overview_text(*one, sources) + "\n" : section_text(*one, sources);
  if (section.empty()) text += "`ddpbench list SECTION` tells what each of them is, and its options.\n";
  if (!sources.availability.probed)
    text += "\nnot probed: what is available on this machine is not known yet; `ddpbench doctor` looks\n";
  return text;
}

nlohmann::ordered_json list_json(const ListSources& sources, const std::string& section) {
  Json json{{"probed", sources.availability.probed}};
  for (const auto* one : chosen(section)) {
    json[one->name] = Json::array();
    for (const auto& row : one->rows(*one, sources)) json[one->name].push_back(row_json(row));
  }
  return json;
}

}  // namespace ddpbench
