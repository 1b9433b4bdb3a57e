#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary/entries.hpp"

namespace ddpbench {

// Holds the names that this build of the worker knows, in the order of its tables. The build asks `ddpbench-worker --list` once
// and installs the answer as vocabulary.json; ddpbench never links the worker.
struct Vocabulary {
  std::string worker_build_id;
  std::string torch_version;
  std::vector<WorkloadEntry> workloads;
  std::vector<StrategyEntry> strategies;
  std::vector<BackendEntry> backends;
  std::vector<PrecisionEntry> precisions;
  std::vector<ArmEntry> arms;
  std::vector<FeatureEntry> features;
  std::vector<MetricEntry> metrics;
  std::vector<LauncherEntry> launchers{};  // of ddpbench itself: they do not stand in vocabulary.json
};

// Returns the views of one table, in its order.
template <auto Table>
std::vector<EntryView> entries_of(const Vocabulary& vocabulary) {
  return views_of(vocabulary.*Table);
}
// Says whose entries are meant: entries_of<&Vocabulary::arms>.
using EntriesOf = std::vector<EntryView> (*)(const Vocabulary& vocabulary);

// Returns the key, in a probe's reasons, of what holds for one device or one workload only: "precision on cuda", "arm on
// resnet50_cifar10".
inline std::string reason_kind(const std::string& kind, const std::string& where) { return kind + " on " + where; }

// Returns whether ranks of the backend occupy a GPU each. Throws UsageError for a backend that the tables do not have.
bool occupies_gpus(const Vocabulary& tables, std::string_view backend);

// Returns the contents of vocabulary.json, without the launchers.
nlohmann::ordered_json to_json(const Vocabulary& vocabulary);

// Reads a vocabulary.json. Throws CannotRun where a key is missing or of another type; `origin` names the file in the message.
Vocabulary vocabulary_from_json(const nlohmann::ordered_json& json, const std::string& origin);

// Reads such a file. Throws CannotRun where it cannot be read or is not one.
Vocabulary read_vocabulary(const std::string& path);

}  // namespace ddpbench
