#include "suite/contract/vocabulary/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

struct NamedRole {
  ArmRole role;
  const char* name;
};
constexpr std::array<NamedRole, 5> kRoles{{{ArmRole::kReference, "reference"},
                                           {ArmRole::kAaControl, "aa_control"},
                                           {ArmRole::kPositiveControl, "positive_control"},
                                           {ArmRole::kProbe, "probe"},
                                           {ArmRole::kSubject, "subject"}}};

// The inverse of text_of. Throws Error for another text, naming the known ones.
ArmRole arm_role_of(std::string_view text) { return find_entry(kRoles, "role of an arm", text).role; }

struct NamedEquality {
  Equality equality;
  const char* name;
};
constexpr std::array<NamedEquality, 4> kEqualities{
    {{Equality::kBits, "bits"}, {Equality::kRounding, "rounding"}, {Equality::kLossy, "lossy"}, {Equality::kDrifts, "drifts"}}};

constexpr std::array<std::pair<OptionType, const char*>, 4> kTypeNames{{{OptionType::kInteger, "integer"},
                                                                        {OptionType::kNumber, "number"},
                                                                        {OptionType::kText, "text"},
                                                                        {OptionType::kSwitch, "switch"}}};

// One list for reader and writer: the sections of vocabulary.json.
struct Section {
  const char* name;
  std::vector<VocabularyEntry> Vocabulary::*entries;
};
constexpr std::array<Section, 7> kSections{{{"workloads", &Vocabulary::workloads},
                                            {"strategies", &Vocabulary::strategies},
                                            {"backends", &Vocabulary::backends},
                                            {"precisions", &Vocabulary::precisions},
                                            {"arms", &Vocabulary::arms},
                                            {"features", &Vocabulary::features},
                                            {"metrics", &Vocabulary::metrics}}};

Json option_to_json(const OptionEntry& option) {
  const auto* type = std::find_if(kTypeNames.begin(), kTypeNames.end(), [&](const auto& t) { return t.first == option.type; });
  Json json{{"name", option.name},   {"type", type->second},      {"default", option.default_value},
            {"legal", option.legal}, {"minimum", option.minimum}, {"maximum", option.maximum},
            {"help", option.help}};
  if (!option.needs.empty()) json["needs"] = option.needs;
  if (option.is_file) json["is_file"] = true;
  return json;
}

OptionEntry option_from_json(const Json& json) {
  const auto type_name = json.at("type").get<std::string>();
  const auto* type = std::find_if(kTypeNames.begin(), kTypeNames.end(), [&](const auto& t) { return t.second == type_name; });
  if (type == kTypeNames.end()) throw Error("unknown option type '" + type_name + "'");
  return OptionEntry{.name = json.at("name"),
                     .type = type->first,
                     .default_value = json.at("default"),
                     .legal = json.at("legal"),
                     .minimum = json.at("minimum"),
                     .maximum = json.at("maximum"),
                     .help = json.at("help"),
                     .needs = json.value("needs", decltype(OptionEntry::needs)()),
                     .is_file = json.value("is_file", false)};
}

// One list for reader and writer: the keys of an entry that hold words and stand only where there are some.
struct WordsKey {
  const char* name;
  std::vector<std::string> VocabularyEntry::*words;
};
constexpr std::array<WordsKey, 6> kWordsKeys{{{"features", &VocabularyEntry::features},
                                              {"takes", &VocabularyEntry::takes},
                                              {"clocks", &VocabularyEntry::clocks},
                                              {"requires", &VocabularyEntry::requires_features},
                                              {"excludes", &VocabularyEntry::excludes_features},
                                              {"bundle", &VocabularyEntry::bundle}}};

void add_arm_facts(const VocabularyEntry& entry, Json& json) {
  if (entry.role != ArmRole::kSubject) json["role"] = text_of(entry.role);
  if (!entry.reference.empty()) json["reference"] = entry.reference;
  if (entry.program != VocabularyEntry().program) json["program"] = entry.program;
  if (entry.is_wrapper) json["is_wrapper"] = true;
  if (entry.value) json["value"] = option_to_json(*entry.value);
  if (entry.makes) json["makes"] = text_of(*entry.makes);
  if (entry.without_makes) json["without_makes"] = text_of(*entry.without_makes);
  if (entry.is_ideal_network) json["is_ideal_network"] = true;
  if (entry.changes_work) json["changes_work"] = true;
  if (entry.equality != Equality::kBits) json["equality"] = text_of(entry.equality);
}

std::optional<ArmRole> role_at(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  return arm_role_of(json.at(key).get<std::string>());
}

void read_arm_facts(const Json& json, VocabularyEntry& entry) {
  entry.role = role_at(json, "role").value_or(entry.role);
  entry.reference = json.value("reference", entry.reference);
  entry.program = json.value("program", entry.program);
  entry.is_wrapper = json.value("is_wrapper", false);
  if (json.contains("value")) entry.value = option_from_json(json.at("value"));
  entry.makes = role_at(json, "makes");
  entry.without_makes = role_at(json, "without_makes");
  entry.is_ideal_network = json.value("is_ideal_network", false);
  entry.changes_work = json.value("changes_work", false);
  entry.equality = find_entry(kEqualities, "equality", json.value("equality", "bits")).equality;
}

Json entry_to_json(const VocabularyEntry& entry) {
  Json json{{"name", entry.name}, {"help", entry.help}, {"built", entry.built}};
  if (!entry.built) json["why_not_built"] = entry.why_not_built;
  if (!entry.unit.empty()) json["unit"] = entry.unit;
  if (entry.max_world_size != 0) json["max_world_size"] = entry.max_world_size;
  if (entry.least_sm != 0) json["least_sm"] = entry.least_sm;
  for (const auto& key : kWordsKeys) {
    if (!(entry.*key.words).empty()) json[key.name] = entry.*key.words;
  }
  add_arm_facts(entry, json);
  if (!entry.device.empty()) json["device"] = entry.device;
  if (entry.is_ring) json["is_ring"] = true;
  if (!entry.only.empty()) json["only"] = entry.only;
  for (const auto& cells : entry.excludes_cells) json["excludes_cells"].push_back({{"where", cells.where}, {"why", cells.why}});
  if (!entry.dataset.empty()) json["dataset"] = entry.dataset;
  for (const auto& option : entry.options) json["options"].push_back(option_to_json(option));
  return json;
}

VocabularyEntry entry_from_json(const Json& json) {
  VocabularyEntry entry{.name = json.at("name"), .help = json.at("help")};
  entry.built = json.at("built");
  entry.why_not_built = json.value("why_not_built", std::string());
  entry.unit = json.value("unit", std::string());
  entry.max_world_size = json.value("max_world_size", std::int64_t{0});
  entry.least_sm = json.value("least_sm", std::int64_t{0});
  for (const auto& key : kWordsKeys) entry.*key.words = json.value(key.name, std::vector<std::string>());
  read_arm_facts(json, entry);
  entry.device = json.value("device", std::string());
  entry.is_ring = json.value("is_ring", false);
  entry.only = json.value("only", std::map<std::string, std::vector<std::string>>());
  for (const auto& cells : json.value("excludes_cells", Json::array()))
    entry.excludes_cells.push_back({cells.at("where").get<std::map<std::string, std::string>>(), cells.at("why")});
  entry.dataset = json.value("dataset", std::string());
  if (json.contains("options")) {
    for (const auto& option : json.at("options")) entry.options.push_back(option_from_json(option));
  }
  return entry;
}

// Whole bounds as integers: "from 1 to 1000000".
std::string bound_text(double bound) {
  const bool whole = std::abs(bound) < 1e16 && bound == std::floor(bound);
  return whole ? std::to_string(static_cast<std::int64_t>(bound)) : shortest_text(bound);
}

std::string vocabulary_text(const std::string& path) {
  try {
    return read_file(path);
  } catch (const Error& error) {
    throw CannotRun(error.what());
  }
}

std::string why_out_of_bounds(const OptionEntry& option, double number) {
  if (number >= option.minimum && number <= option.maximum) return "";
  return "must be from " + bound_text(option.minimum) + " to " + bound_text(option.maximum);
}

std::string why_not_an_integer(const OptionEntry& option, const std::string& value) {
  const auto number = parse_number<std::int64_t>(value);
  return number ? why_out_of_bounds(option, static_cast<double>(*number)) : "must be an integer";
}

std::string why_not_a_number(const OptionEntry& option, const std::string& value) {
  const auto number = parse_finite<double>(value);
  return number ? why_out_of_bounds(option, *number) : "must be a number";
}

}  // namespace

const char* text_of(ArmRole role) {
  return std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& named) { return named.role == role; })->name;
}

bool occupies_gpus(const Vocabulary& tables, std::string_view backend) {
  return find_entry(tables.backends, "backend", backend).device == "cuda";
}

std::vector<std::string> gpu_backends(const Vocabulary& tables) {
  std::vector<std::string> names;
  for (const auto& backend : tables.backends) {
    if (occupies_gpus(tables, backend.name)) names.push_back(backend.name);
  }
  return names;
}

const char* text_of(Equality equality) { return kEqualities[static_cast<std::size_t>(equality)].name; }

nlohmann::ordered_json entries_to_json(const std::vector<VocabularyEntry>& entries) {
  Json json = Json::array();
  for (const auto& entry : entries) json.push_back(entry_to_json(entry));
  return json;
}

std::vector<VocabularyEntry> entries_from_json(const nlohmann::ordered_json& json) {
  std::vector<VocabularyEntry> entries;
  for (const auto& entry : json) entries.push_back(entry_from_json(entry));
  return entries;
}

nlohmann::ordered_json to_json(const Vocabulary& vocabulary) {
  Json json{{"worker_build_id", vocabulary.worker_build_id}, {"torch_version", vocabulary.torch_version}};
  for (const auto& section : kSections) json[section.name] = entries_to_json(vocabulary.*section.entries);
  return json;
}

Vocabulary vocabulary_from_json(const nlohmann::ordered_json& json, const std::string& origin) {
  try {
    Vocabulary vocabulary;
    vocabulary.worker_build_id = json.at("worker_build_id");
    vocabulary.torch_version = json.at("torch_version");
    for (const auto& section : kSections) vocabulary.*section.entries = entries_from_json(json.at(section.name));
    return vocabulary;
  } catch (const std::exception& error) {
    throw CannotRun(origin + " is not of this version (" + failure_text(error) + "): run ./bootstrap.sh build");
  }
}

Vocabulary read_vocabulary(const std::string& path) {
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable))
    throw CannotRun(path + " is missing: the worker was not built: run ./bootstrap.sh build");
  const auto json = Json::parse(vocabulary_text(path), nullptr, false);
  if (json.is_discarded()) throw CannotRun(path + " is not JSON: run ./bootstrap.sh build");
  return vocabulary_from_json(json, path);
}

bool is_word_for_default(const OptionEntry& option, std::string_view value) {
  const bool is_number = option.type == OptionType::kInteger || option.type == OptionType::kNumber;
  return is_number && value == "default" && value == option.default_value;
}

std::string why_illegal(const OptionEntry& option, const std::string& value) {
  if (is_word_for_default(option, value)) return "";
  switch (option.type) {
    case OptionType::kInteger: return why_not_an_integer(option, value);
    case OptionType::kNumber: return why_not_a_number(option, value);
    case OptionType::kSwitch: return value == "true" || value == "false" ? "" : "must be true or false";
    case OptionType::kText: break;
  }
  const bool legal = option.legal.empty() || std::find(option.legal.begin(), option.legal.end(), value) != option.legal.end();
  return legal ? "" : "must be one of " + join(option.legal, ", ");
}

std::string why_contradictory(const std::vector<OptionEntry>& options, const std::map<std::string, std::string>& values) {
  const auto value_of = [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
  for (const auto& option : options) {
    const auto needs = option.needs.find(value_of(option.name));
    if (needs == option.needs.end()) continue;
    for (const auto& [other, needed] : needs->second) {
      if (value_of(other) == needed) continue;
      return option.name + " = " + needs->first + " needs " + other + " = " + needed + ", not " + value_of(other) +
             " (in a sweep, leave it out by a constraint)";
    }
  }
  return "";
}

}  // namespace ddpbench
