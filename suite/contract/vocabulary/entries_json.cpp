#include "suite/contract/vocabulary/entries_json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

// std::optional is one of the types that the JSON library does not know.
namespace nlohmann {
template <class Value>
struct adl_serializer<std::optional<Value>> {
  static void to_json(ordered_json& json, const std::optional<Value>& value) { json = value.value(); }
  static void from_json(const ordered_json& json, std::optional<Value>& value) { value = json.get<Value>(); }
};
}  // namespace nlohmann

namespace ddpbench {

// Write and read it as {"where": {axis: value}, "why": text}. The JSON library looks for them in this namespace.
static void to_json(nlohmann::ordered_json& json, const CellExclusion& cells) {
  json = {{"where", cells.where}, {"why", cells.why}};
}
static void from_json(const nlohmann::ordered_json& json, CellExclusion& cells) {
  cells = {json.at("where").get<decltype(cells.where)>(), json.at("why").get<std::string>()};
}

namespace {

using Json = nlohmann::ordered_json;

// One key of an entry: its reader and its writer go by the same list.
template <class Entry, class Value>
struct EntryKey {
  const char* name;
  Value Entry::*member;
};
template <class Entry, class Value>
constexpr EntryKey<Entry, Value> key(const char* name, Value Entry::*member) {
  return {name, member};
}

// Lists the keys that a kind has beside `name` and `help`.
template <class Entry>
inline constexpr auto kKeys = std::tuple{};
template <>
inline constexpr auto kKeys<WorkloadEntry> =
    std::tuple{key("options", &WorkloadEntry::options), key("dataset", &WorkloadEntry::dataset),
               key("epoch_samples", &WorkloadEntry::epoch_samples), key("excludes_cells", &WorkloadEntry::excludes_cells)};
template <>
inline constexpr auto kKeys<StrategyEntry> =
    std::tuple{key("options", &StrategyEntry::options), key("max_world_size", &StrategyEntry::max_world_size)};
template <>
inline constexpr auto kKeys<BackendEntry> =
    std::tuple{key("options", &BackendEntry::options), key("why_not_built", &BackendEntry::why_not_built),
               key("device", &BackendEntry::device), key("is_ring", &BackendEntry::is_ring)};
template <>
inline constexpr auto kKeys<PrecisionEntry> = std::tuple{
    key("options", &PrecisionEntry::options), key("least_sm", &PrecisionEntry::least_sm), key("only", &PrecisionEntry::only)};
template <>
inline constexpr auto kKeys<ArmEntry> = std::tuple{key("options", &ArmEntry::options),
                                                   key("features", &ArmEntry::features),
                                                   key("takes", &ArmEntry::takes),
                                                   key("requires", &ArmEntry::requires_features),
                                                   key("bundles", &ArmEntry::bundles),
                                                   key("only", &ArmEntry::only),
                                                   key("excludes_cells", &ArmEntry::excludes_cells),
                                                   key("role", &ArmEntry::role),
                                                   key("reference", &ArmEntry::reference),
                                                   key("program", &ArmEntry::program),
                                                   key("trains_whole", &ArmEntry::trains_whole),
                                                   key("is_wrapper", &ArmEntry::is_wrapper),
                                                   key("clocks", &ArmEntry::clocks),
                                                   key("equality", &ArmEntry::equality)};
template <>
inline constexpr auto kKeys<FeatureEntry> = std::tuple{key("only", &FeatureEntry::only),
                                                       key("excludes_cells", &FeatureEntry::excludes_cells),
                                                       key("clocks", &FeatureEntry::clocks),
                                                       key("requires", &FeatureEntry::requires_features),
                                                       key("excludes", &FeatureEntry::excludes_features),
                                                       key("value", &FeatureEntry::value),
                                                       key("bundle", &FeatureEntry::bundle),
                                                       key("makes", &FeatureEntry::makes),
                                                       key("without_makes", &FeatureEntry::without_makes),
                                                       key("equality", &FeatureEntry::equality),
                                                       key("changes_work", &FeatureEntry::changes_work),
                                                       key("is_ideal_network", &FeatureEntry::is_ideal_network)};
template <>
inline constexpr auto kKeys<MetricEntry> = std::tuple{key("unit", &MetricEntry::unit)};

// Calls `visit` with each key of the kind.
template <class Entry, class Visit>
void for_each_key(Visit visit) {
  std::apply([&](const auto&... keys) { (visit(keys), ...); }, kKeys<Entry>);
}

}  // namespace

template <class Entry>
Json entries_to_json(const std::vector<Entry>& entries) {
  static const Entry defaults{};
  Json section = Json::array();
  for (const auto& entry : entries) {
    Json json{{"name", entry.name}, {"help", entry.help}};
    for_each_key<Entry>([&](const auto& one) {
      if (entry.*one.member != defaults.*one.member) json[one.name] = entry.*one.member;
    });
    section.push_back(std::move(json));
  }
  return section;
}

template <class Entry>
std::vector<Entry> entries_from_json(const Json& section) {
  std::vector<Entry> entries;
  for (const auto& json : section) {
    auto& entry = entries.emplace_back();
    entry.name = json.at("name");
    entry.help = json.at("help");
    for_each_key<Entry>([&](const auto& one) {
      if (json.contains(one.name)) json.at(one.name).get_to(entry.*one.member);
    });
  }
  return entries;
}

#define DDPBENCH_ENTRY_KIND(Entry)                                  \
  template Json entries_to_json(const std::vector<Entry>& entries); \
  template std::vector<Entry> entries_from_json(const Json& section);
DDPBENCH_ENTRY_KIND(WorkloadEntry)
DDPBENCH_ENTRY_KIND(StrategyEntry)
DDPBENCH_ENTRY_KIND(BackendEntry)
DDPBENCH_ENTRY_KIND(PrecisionEntry)
DDPBENCH_ENTRY_KIND(ArmEntry)
DDPBENCH_ENTRY_KIND(FeatureEntry)
DDPBENCH_ENTRY_KIND(MetricEntry)
#undef DDPBENCH_ENTRY_KIND

}  // namespace ddpbench
