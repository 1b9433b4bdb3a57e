#pragma once
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Reads results folders of one experiment (joined_experiment.hpp) as one. A launch that ran in several of them is as many
// launches: in the later ones its id ends in the folder's number ("…-r0-2"). Where it ran in one and is only planned in others,
// they add nothing; nor does a copy of a folder. No repetition of one folder is one of another: launches are paired by repetition
// where they ran soon after each other, and jobs do not.
class JoinedFolders {
 public:
  // Takes the experiment of all of them together.
  JoinedFolders(std::vector<ResultsFolder> folders, std::string experiment_toml);
  explicit JoinedFolders(const ResultsFolder& folder);

  const std::vector<ResultsFolder>& folders() const { return folders_; }
  const std::string& experiment_toml() const { return experiment_toml_; }
  std::string origin(const char* file) const;  // for messages: the file's path, or the folders'

  // Reads the rows as a ResultsFolder does, with the ids that the launches have in the whole.
  std::vector<PlanRow> plan() const;
  std::vector<RunRow> runs() const;
  std::vector<MetricRow> metrics() const;
  std::vector<NodeCheckRow> node_checks() const;                // of all folders, one behind the other
  std::vector<CollectiveSampleRow> collective_samples() const;  // likewise
  std::vector<TracePartRow> trace_parts() const;                // likewise
  std::vector<TraceMemoryRow> trace_memory() const;             // likewise
  std::vector<ProfileRow> profiles() const;                     // likewise; of several folders each file has its folder

  // Joins the environment.json of several folders. What all of them say stands once. What differs stands by folder ({"job-1":
  // …}); where it says what the launches ran on (versions, machine, steering variables) it is a fact of each of that folder's
  // launches too, and so is the folder itself as `job`: the audit then sees it. One folder's stays as it is. Recorded
  // workloads, strategies, backends and precisions are those of all, in the words of the first that knows them. Throws UsageError
  // where the folders were written by builds whose tables of arms differ, or to which a name is something else.
  nlohmann::ordered_json environment() const;

  // Returns what the launch of that folder (by place) is called in the whole; "": it is left out.
  std::string id_of(std::size_t folder, const std::string& launch_id) const;

 private:
  template <class Row>
  std::vector<Row> rows(std::vector<Row> (*read)(const ResultsFolder&)) const;

  std::vector<ResultsFolder> folders_;
  std::string experiment_toml_;
  std::vector<std::map<std::string, std::string>> ids_;  // by folder
  std::int64_t repetitions_;                             // more than any folder plans
};

}  // namespace ddpbench
