#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Describes one report: results folders of one experiment, and where it goes.
struct StudyFolders {
  std::vector<std::string> folders;
  std::string out;
  std::string told;               // what a person should know of how they were put together; "": nothing
  double price_per_gpu_hour = 0;  // of the site of a submission; 0: not known
  std::string price_unit;
};

// Returns the reports to make of what `ddpbench report` is given: folders of one experiment are one study, others get a report
// each. A folder of `ddpbench submit` stands for those of its jobs that have begun. `out` (--out): the place, or where there are
// several reports, that of a folder for each; "": a folder of its own for a report of one; FOLDER/report for a submission;
// PARENT/NAME-study for several. Throws UsageError where a folder is none that can be read, or two reports would go to one place.
std::vector<StudyFolders> studies_of(const std::vector<std::string>& given, const std::string& out);

}  // namespace ddpbench
