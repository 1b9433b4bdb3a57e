#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Says what an arm is there for.
enum class ArmRole {
  kReference,        // what the others of its family are compared with
  kAaControl,        // the reference's own code a second time: shows the noise floor
  kPositiveControl,  // the reference and a known delay: shows that an effect is found
  kProbe,            // takes the measurement or the network apart, and drives no other loop
  kSubject,          // what the question is about
};

// Returns "reference", "aa_control", "positive_control", "probe" or "subject".
const char* text_of(ArmRole role);

// Says what "equal" means where an arm's steps are compared with its reference's (harness/measure/checks/equal_work.hpp), the
// strictest first.
enum class Equality {
  kBits,      // losses and state, bit for bit
  kRounding,  // it adds in another order: losses to rounding
  kLossy,     // it sends less than float32: losses of the first steps, roughly
  kDrifts,    // its replicas meet only now and then: the loss of the first step, before anything is exchanged
};

// Returns "bits", "rounding", "lossy" or "drifts".
const char* text_of(Equality equality);

// Names what hosts an arm: the worker, or a Python process that hosts the worker's harness (harness/python).
inline constexpr const char* kWorkerProgram = "worker";
inline constexpr const char* kPythonProgram = "python";

// Names the workload that has no model of its own: arms bring modules of the experiment's.
inline constexpr const char* kModuleWorkload = "module";
// Names the feature that says which of them an arm trains.
inline constexpr const char* kModuleFeature = "module";
inline constexpr const char* kAccumulateFeature = "accumulate";  // its value: micro-batches of a step

// Says what type the values of an option have; a switch is "true" or "false".
enum class OptionType { kInteger, kNumber, kText, kSwitch };

// Describes one option of a group (option_groups.hpp): [workload], [strategy], … of an experiment. `legal` is empty where any
// value of the type (within [minimum, maximum] for numbers) is legal.
struct OptionEntry {
  std::string name;
  OptionType type = OptionType::kText;
  std::string default_value;
  std::vector<std::string> legal{};
  double minimum = 0;
  double maximum = 0;
  std::string help{};
  std::map<std::string, std::map<std::string, std::string>> needs{};  // value -> what other options of the entry must then be
  bool is_file = false;                                               // text: the name of a file that can be read
};

// Names cells in which an entry is not possible, and why: those with these values, by axis (the axis "device" is the backend's)
// or option. "!16": with any other value than 16; a cell without the option has none of them.
struct CellExclusion {
  std::map<std::string, std::string> where;
  std::string why;
  bool operator==(const CellExclusion&) const = default;
};

// Describes one thing that can be put on an axis, as the worker's tables have it.
struct VocabularyEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};   // what its group takes where this entry is chosen
  std::vector<std::string> features{};  // arms: the features it has without being asked, in order
  std::string unit{};                   // metrics
  std::int64_t max_world_size = 0;      // strategies: more ranks than this are not possible (0: no bound)
  std::int64_t least_sm = 0;            // precisions: the oldest GPU that has it, as compute capability, 80 is 8.0 (0: any)
  bool built = true;                    // false: named, but this build has no code for it; `why_not_built` says why
  std::string why_not_built{};
  std::vector<std::string> takes{};  // arms: features that may be added to those it has; a bundle stands for its parts
  std::string device{};              // backends: what its ranks train on, "cpu" or "cuda"
  bool is_ring = false;              // backends: large messages go round a ring; else down a tree
  // Precisions, features: possible only in cells with one of these values, by axis; the axis "device" is the backend's.
  std::map<std::string, std::vector<std::string>> only{};

  std::vector<CellExclusion> excludes_cells{};  // workloads, arms, features

  ArmRole role = ArmRole::kSubject;      // arms
  std::string reference{};               // arms: what it is compared with; "" of a reference. Arms of one reference are a family
  std::string program = kWorkerProgram;  // arms: what hosts it, kWorkerProgram or kPythonProgram
  bool is_wrapper = false;               // arms: a framework's loop around the step; the report answers about the first of these
  // Arms of role kPositiveControl, and features that change the delay of one: the clocks on which its truth is known.
  std::vector<std::string> clocks{};
  std::vector<std::string> requires_features{};  // arms, features: what must be in force beside it …
  std::vector<std::string> excludes_features{};  // … and what must not
  std::optional<OptionEntry> value{};            // features that carry one, as in `logger=50`: type, range, default
  std::vector<std::string> bundle{};             // features that stand for others: "logger=10", "bar"; no bundle among them
  std::optional<ArmRole> makes{};                // features: the role of an arm to which it was added …
  std::optional<ArmRole> without_makes{};        // … and of one that differs from its base by its absence alone
  Equality equality = Equality::kBits;           // arms, features: of an arm the loosest of both
  // Features: a step with it computes something else, so that an arm with it is compared with its reference with it too.
  bool changes_work = false;
  std::string dataset{};          // workloads: what they read where the option `data` is not `constant`; "": nothing
  bool is_ideal_network = false;  // features: collectives take no time
};

// Holds the names that this build of the worker knows, in the order of its tables. The build asks `ddpbench-worker --list` once
// and installs the answer as vocabulary.json; ddpbench never links the worker.
struct Vocabulary {
  std::string worker_build_id;
  std::string torch_version;
  std::vector<VocabularyEntry> workloads, strategies, backends, precisions, arms, features, metrics;
  std::vector<VocabularyEntry> launchers{};  // of ddpbench itself: they do not stand in vocabulary.json
};

// Returns the key, in a probe's reasons, of what holds for one device or one workload only: "precision on cuda", "arm on
// resnet50_cifar10".
inline std::string reason_kind(const std::string& kind, const std::string& where) { return kind + " on " + where; }

// Returns whether ranks of the backend occupy a GPU each. Throws UsageError for a backend that the tables do not have.
bool occupies_gpus(const Vocabulary& tables, std::string_view backend);

// Returns the names of the backends of which that holds.
std::vector<std::string> gpu_backends(const Vocabulary& tables);

// Returns the contents of vocabulary.json, without the launchers.
nlohmann::ordered_json to_json(const Vocabulary& vocabulary);

// Returns a section of a vocabulary.json.
nlohmann::ordered_json entries_to_json(const std::vector<VocabularyEntry>& entries);

// Reads such a section. Throws the JSON library's exception where a key is missing or of another type.
std::vector<VocabularyEntry> entries_from_json(const nlohmann::ordered_json& json);

// Reads a vocabulary.json. Throws CannotRun where a key is missing or of another type; `origin` names the file in the message.
Vocabulary vocabulary_from_json(const nlohmann::ordered_json& json, const std::string& origin);

// Reads such a file. Throws CannotRun where it cannot be read or is not one.
Vocabulary read_vocabulary(const std::string& path);

// Returns whether `value` is the word "default" of a number whose default is its entry's own to say: `learning_rate = default`.
bool is_word_for_default(const OptionEntry& option, std::string_view value);

// Says why `value` is not legal for the option: "must be one of imagenet, cifar"; "" where it is.
std::string why_illegal(const OptionEntry& option, const std::string& value);

// Says why the values of an entry's options do not go together (OptionEntry::needs): "static_graph = true needs accumulate = 1,
// not 3"; "" where they do. `values`: all of them.
std::string why_contradictory(const std::vector<OptionEntry>& options, const std::map<std::string, std::string>& values);

}  // namespace ddpbench
