#pragma once
#include <cstdint>
#include <string>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Says where data may come from, in the order in which it is looked for; an empty text is not looked at.
struct DataSources {
  std::string option;         // --data
  std::string own_variable;   // $DDPBENCH_DATA
  std::string site_variable;  // $DSDIR: the shared data sets of Jean Zay
  std::string cache;          // holds what is generated: $XDG_CACHE_HOME/ddpbench/data or ~/.cache/ddpbench/data
};

// Reads the other sources from the process's environment.
DataSources data_sources(const std::string& option);

// Says where a data set lies, and where it came from.
struct DataFolder {
  std::string path;    // the folder with the files themselves
  std::string origin;  // for people: "from $DSDIR: …", "generated (seed 1): not the real CIFAR-10"
};

// Seeds the data that nobody asked for by `data make`.
inline constexpr std::uint64_t kDefaultDataSeed = 1;

// Takes the first source that is set, and checks its files whole (labels too); throws UsageError with every mistake, and never
// goes on silently to the next. Passes by only $DSDIR, which the site sets, where it holds no such data set; what cannot be
// looked at there is a mistake too. Where no source is left, generates the data set in the cache, once; throws CannotRun where
// that cannot be written.
DataFolder find_or_generate_data(const DataSet& set, const DataSources& sources);

// Returns the folder that find_or_generate_data would name, but checks and makes nothing; "" where no source is left.
std::string expected_data_path(const DataSet& set, const DataSources& sources);

}  // namespace ddpbench
