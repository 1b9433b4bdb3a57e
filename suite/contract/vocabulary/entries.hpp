#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary/arm_role.hpp"
#include "suite/contract/vocabulary/option_entry.hpp"
#include "suite/contract/vocabulary/own_code.hpp"

// What the vocabulary knows of each kind of thing that has a name. Every kind has `name` and `help`; `options` are what its group
// takes where the entry is chosen. A fact that a kind gains is a member here and a line in entries_json.cpp.
namespace ddpbench {

// Names what hosts an arm: the worker, or a Python process that hosts the worker's harness (harness/python).
inline constexpr const char* kWorkerProgram = "worker";
inline constexpr const char* kPythonProgram = "python";

inline constexpr const char* kCompiledOption = "compiled";  // of workloads: torch.compile in Python's arms

inline constexpr const char* kAccumulateFeature = "accumulate";  // its value: micro-batches of a step

// Says in which cells an entry is possible: those with one of these values, by axis; the axis "device" is the backend's.
using OnlyIn = std::map<std::string, std::vector<std::string>>;

// Names cells in which an entry is not possible, and why: those with these values, by axis (the axis "device" is the backend's)
// or option. "!16": with any other value than 16; a cell without the option has none of them.
struct CellExclusion {
  std::map<std::string, std::string> where;
  std::string why;
  bool operator==(const CellExclusion&) const = default;
};

// Describes a workload: model, data, loss and optimizer.
struct WorkloadEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};
  std::string dataset{};           // what it reads where the option `data` is not `constant`; "": nothing
  std::int64_t epoch_samples = 0;  // in the training set of that; 0: it reads nothing
  std::vector<CellExclusion> excludes_cells{};
  bool operator==(const WorkloadEntry&) const = default;
};

// Describes how replicas meet.
struct StrategyEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};
  std::int64_t max_world_size = 0;  // more ranks than this are not possible (0: no bound)

  // Returns whether its ranks exchange anything at all.
  bool communicates() const { return max_world_size != 1; }
  bool operator==(const StrategyEntry&) const = default;
};

// Describes a library of collectives.
struct BackendEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};
  std::string why_not_built{};  // "" where this build has it
  std::string device{};         // what its ranks train on, "cpu" or "cuda"
  bool is_ring = false;         // large messages go round a ring; else down a tree
  bool operator==(const BackendEntry&) const = default;
};

// Describes the number formats of a step.
struct PrecisionEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};
  std::int64_t least_sm = 0;  // the oldest GPU that has it, as compute capability, 80 is 8.0 (0: any)
  OnlyIn only{};
  bool operator==(const PrecisionEntry&) const = default;
};

// Describes an arm: who drives the step.
struct ArmEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};
  std::vector<std::string> features{};           // that it has without being asked, in order
  std::vector<std::string> takes{};              // features that may be added to those it has; a bundle stands for its parts
  std::vector<std::string> requires_features{};  // of these: what must be in force
  std::map<std::string, std::vector<std::string>> bundles{};  // what a bundle stands for here, where not as for others
  OnlyIn only{};
  std::vector<CellExclusion> excludes_cells{};
  ArmRole role = ArmRole::kSubject;
  std::string reference{};               // what it is compared with; "" of a reference. Arms of one reference are a family
  std::string program = kWorkerProgram;  // what hosts it, kWorkerProgram or kPythonProgram
  bool trains_whole = false;             // can be in a launch of purpose `training`
  bool is_wrapper = false;               // a framework's loop around the step; the report answers about the first of these
  std::vector<std::string> clocks{};     // of role kPositiveControl: the clocks on which its truth is known
  Equality equality = Equality::kBits;
  bool operator==(const ArmEntry&) const = default;
};

// Describes a feature: what is switched on in an arm by `+NAME`, or off by `-NAME`.
struct FeatureEntry {
  std::string name;
  std::string help{};
  OnlyIn only{};
  std::vector<CellExclusion> excludes_cells{};
  std::vector<std::string> clocks{};  // changes the delay of a positive control: the clocks on which its truth is known
  std::vector<std::string> requires_features{};  // what must be in force beside it …
  std::vector<std::string> excludes_features{};  // … and what must not
  std::optional<OptionEntry> value{};            // of one that carries one, as in `logger=50`: type, range, default
  std::vector<std::string> bundle{};             // of one that stands for others: "logger=10", "bar"; no bundle among them
  std::optional<ArmRole> makes{};                // the role of an arm to which it was added …
  std::optional<ArmRole> without_makes{};        // … and of one that differs from its base by its absence alone
  Equality equality = Equality::kBits;           // an arm has the loosest of its own and its features'
  bool changes_work = false;      // a step computes something else: its arm is compared with a reference that has it too
  bool is_ideal_network = false;  // collectives take no time
  bool operator==(const FeatureEntry&) const = default;
};

// Describes a metric that a worker measures.
struct MetricEntry {
  std::string name;
  std::string help{};
  std::string unit{};
  bool operator==(const MetricEntry&) const = default;
};

// Describes what starts the ranks.
struct LauncherEntry {
  std::string name;
  std::string help{};
  std::vector<OptionEntry> options{};
  bool operator==(const LauncherEntry&) const = default;
};

// Shows what lists, plans and checks of options ask of an entry of any kind: nothing where its kind has no such fact. Refers to
// the entry.
struct EntryView {
  std::string_view name, help;
  std::span<const OptionEntry> options{};
  std::string_view why_not_built{};
  const OnlyIn* only = nullptr;  // nullptr: everywhere
  std::span<const CellExclusion> excludes_cells{};
};

// Returns the view of an entry.
template <class Entry>
EntryView view_of(const Entry& entry) {
  EntryView view{.name = entry.name, .help = entry.help};
  if constexpr (requires { entry.options; }) view.options = entry.options;
  if constexpr (requires { entry.why_not_built; }) view.why_not_built = entry.why_not_built;
  if constexpr (requires { entry.only; }) view.only = &entry.only;
  if constexpr (requires { entry.excludes_cells; }) view.excludes_cells = entry.excludes_cells;
  return view;
}

// Returns the views of a table's entries, in their order.
template <class Entry>
std::vector<EntryView> views_of(const std::vector<Entry>& entries) {
  std::vector<EntryView> views;
  for (const auto& entry : entries) views.push_back(view_of(entry));
  return views;
}

}  // namespace ddpbench
