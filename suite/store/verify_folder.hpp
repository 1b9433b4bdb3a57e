#pragma once
#include <memory>
#include <string>
#include <vector>

#include "suite/store/launch_check.hpp"

namespace ddpbench {

// Finds everything that is wrong with a results folder, a sentence each, naming file and place; none: it is whole. Checked are:
// the files, the schema, checksums, headers, that every row parses, counts against the plan, committed lengths, and the gzip
// members. A sentence that begins with "note: " is no fault (the tail that an interrupted run leaves, which --resume drops).
class FolderCheck {
 public:
  enum class Scope {
    kEverything,
    kMeasured  // not launches that never ran, and not what a report wrote into the folder
  };
  // Checks all but the samples. Throws UsageError where `path` is no folder.
  FolderCheck(const std::string& path, Scope scope);
  ~FolderCheck();
  FolderCheck(const FolderCheck&) = delete;
  FolderCheck& operator=(const FolderCheck&) = delete;

  // Reads and checks the samples of every launch.
  void read_samples();

  // Returns the check of one launch, for a caller that reads the samples itself and hands every row on; nullptr: the folder has
  // no such launch. Different threads may fill the checks of different launches.
  LaunchCheck* launch(const std::string& launch_id);

  // Says that every row was handed on so.
  void samples_were_read();

  std::vector<std::string> problems() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Checks a results folder whole, samples too, and returns the problems.
std::vector<std::string> verify_results_folder(const std::string& path,
                                               FolderCheck::Scope scope = FolderCheck::Scope::kEverything);

}  // namespace ddpbench
