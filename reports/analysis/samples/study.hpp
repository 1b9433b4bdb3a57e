#pragma once
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/samples/families.hpp"
#include "reports/analysis/samples/samples.hpp"
#include "reports/analysis/samples/settings.hpp"
#include "suite/contract/launch/samples_per_step.hpp"
#include "suite/contract/tables/schema.hpp"
#include "suite/store/joined_folders.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {

// Holds what was true of one launch: text as it stands, a number as `number` (NaN: text).
struct Fact {
  std::string text;
  double number;
};
// Holds the facts of one launch, by name.
struct LaunchFacts {
  std::string launch_id;
  std::map<std::string, Fact> facts;
};

// Reads `launches` of an environment.json; empty where no launch told any. Leaves out what is of another type.
std::vector<LaunchFacts> launch_facts_of(const nlohmann::ordered_json& environment);

// Holds one launch of a cell as the folder has it.
struct Launch {
  std::string launch_id;
  std::vector<RunRow> runs;  // one per arm; none: it never ran
  LaunchSamples samples;
  std::vector<MetricRow> metrics;
  // Says whether the arm's times count: ok, or partial (stopped early, all its super-blocks are whole). A launch that failed or
  // gave a wrong result keeps its rows in the files and gives no estimate.
  bool usable(const std::string& arm) const;
  bool has_run() const;          // neither skipped nor still planned
  std::string profiled() const;  // the profiler from outside that it ran under; "": none
};

// Holds one setting that was measured, with its launches.
struct Cell {
  PlanRow axes;       // of its first launch
  std::string label;  // workload, and what tells this cell from its neighbours: "resnet50_cifar10, batch 16"
  std::vector<std::string> arms;
  std::vector<std::int64_t> micro_batches;  // of the arms' steps, in their order (ArmFacts::micro_batches)
  CellSettings settings;
  std::vector<Launch> launches;
  std::vector<Family> families;  // in the order of their first arms

  const Family& family_of(const std::string& arm) const;  // of a planned arm, or of a reference; throws Error for another
  std::int64_t world_size() const { return axes.world_size(); }
  std::int64_t global_batch_size() const { return samples_per_step(axes, axes.options); }
  std::int64_t samples_per_step_of(const std::string& arm) const;  // of a planned arm; throws Error for another
  // Returns the launches in which all of the arms are usable and have samples.
  std::vector<const Launch*> launches_with(const std::vector<std::string>& wanted) const;
};

// Names a launch × arm that has no result, or not a whole one.
struct Point {
  std::string launch_id, cell_id, arm, status, reason;
};

// Holds results folders of one experiment, read: everything that the tables are made of.
struct Study {
  Settings settings;
  std::vector<Cell> cells;                         // in the order of their axes
  std::map<std::string, std::size_t> cells_by_id;  // their places
  std::vector<std::string> common_options;         // of every cell: they distinguish none
  std::vector<Point> points;
  std::map<std::string, int> counts;  // launches by status; "planned": never ran
  double cores = kNotMeasured;        // of one host; not known: NaN
  std::vector<std::string> data_origins, hosts;
  std::string started_utc;
  std::vector<LaunchFacts> launch_facts;
  std::int64_t looks = 0;                 // that were taken; settings.protocol.looks: that were planned
  std::vector<NodeCheckRow> node_checks;  // of the nodes before the sweep
  std::vector<CollectiveSampleRow> collective_samples;
  std::vector<ProfileRow> profiles;
  std::vector<TracePartRow> trace_parts;
  std::vector<TraceMemoryRow> trace_memory;
  Vocabulary vocabulary;               // the tables that the folder recorded
  std::vector<ArmFacts> arms;          // of every planned arm
  Clock primary_clock = Clock::kWall;  // of what a user waits for: device, awaited, wall: the first that was measured
  const ArmFacts& facts_of(const std::string& arm) const { return find_arm(arms, arm); }
  std::string first_reference() const;  // the loop by hand: what a framework adds to it stands elsewhere; "": there is none
  bool anything_finished() const;
  const Cell* find_cell(const std::string& cell_id) const;  // nullptr: no cell has it
  const Cell& cell_of(const std::string& cell_id) const;    // throws Error where no cell has it
  std::string label_of(const std::string& cell_id) const;   // its id where no cell has it
};

// Says what the arm ran on, "torch=2.11.0;python=3.11.7;lightning=2.6.6"; " or " where launches differ; "" in folders that did
// not record it.
std::string versions_of(const Cell& cell, const std::string& arm);

// Splits "stem=imagenet;data=cifar" into {"stem=imagenet", "data=cifar"}.
std::vector<std::string> options_of(const PlanRow& axes);

// Returns "stem" of "stem=imagenet".
inline std::string option_name(const std::string& option) { return option.substr(0, option.find('=')); }

// Names the axes that say how large a training is and where.
inline constexpr std::array<std::string_view, 3> kSizeAxes{"nodes", "ranks_per_node", "batch_size_per_rank"};

// Returns the values of the other axes, and the options: alike for cells that differ in none but these axes.
std::string axes_but(std::span<const std::string_view> left_out, const PlanRow& axes);

// Returns the cell's options that not every cell of the study has.
std::vector<std::string> telling_options_of(const Study& study, const PlanRow& axes);

// One for each folder; none: nothing is checked.
using FolderChecks = std::vector<std::unique_ptr<FolderCheck>>;

// Reads the folders of one experiment. Throws UsageError for what cannot be read, naming file and place. Hands all samples on to
// the checks, where there are any.
Study read_study(const JoinedFolders& folders, const FolderChecks& checks = {});

}  // namespace ddpbench
