#pragma once
#include <optional>
#include <string>
#include <vector>

#include "suite/commands/experiment_choice.hpp"
#include "suite/launch/installation.hpp"
#include "suite/launch/processes/temporary_folder.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Describes one of the builds that a comparison measures.
struct ComparedSide {
  std::string folder;                 // of its results, in the comparison's: "base", "new", "base_again"
  std::string given;                  // as the user named it
  Installation installation;          // whose worker trains
  std::vector<std::string> settings;  // KEY=VALUE, on top of the experiment
};

// Names the results folders of the sides, in the comparison's.
namespace side_folder {
inline constexpr const char* kBase = "base";
inline constexpr const char* kNew = "new";
inline constexpr const char* kAgain = "base_again";  // base, measured a second time
}  // namespace side_folder

// Finds the side that `given` names: a build's folder (it holds bin/ddpbench-worker and share/ddpbench), or KEY=VALUE: this build
// with that setting, for example lightning_version=2.5.1. Throws UsageError that names the option and says what was looked for.
ComparedSide compared_side(const std::string& folder, const std::string& option, const std::string& given);

// Returns those of `ddpbench compare --base BASE --new FRESH`: base, new and, not with `once`, base again.
std::vector<ComparedSide> compared_sides(const std::string& base, const std::string& fresh, bool once);

// Returns what a side measures: the experiment with its settings behind those of both.
ExperimentChoice with_settings_of(const ComparedSide& side, ExperimentChoice choice);

// Throws UsageError where the two plan other cells.
void require_same_cells(const Plan& base, const Plan& fresh);

// Opens a results folder, or one that `pack` has packed (DIR.tar.gz), which is unpacked into a folder of its own while this
// lives.
class OpenedResults {
 public:
  explicit OpenedResults(const std::string& given);
  OpenedResults(const OpenedResults&) = delete;
  OpenedResults& operator=(const OpenedResults&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<TemporaryFolder> unpacked_;  // nothing where nothing was
};

}  // namespace ddpbench
