#pragma once
#include <cstdint>
#include <string>

#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// Where data may come from, in the order in which it is looked for; an empty text is not looked at.
struct DataSources {
  std::string option;         // --data
  std::string own_variable;   // $DDPBENCH_DATA
  std::string site_variable;  // $DSDIR: the shared data sets of Jean Zay
  std::string cache;          // holds what is generated: $XDG_CACHE_HOME/ddpbench/data or ~/.cache/ddpbench/data
};

// From the process's environment.
DataSources data_sources(const std::string& option);

struct DataFolder {
  std::string path;    // the folder with the files themselves
  std::string origin;  // for people: "from $DSDIR: …", "generated (seed 1): not the real CIFAR-10"
};

// The seed of data that nobody asked for by `data make`.
inline constexpr std::uint64_t kDefaultDataSeed = 1;

// The first source that is set decides, its files are checked whole (labels too): UsageError with every mistake, never a silent
// step to the next. Only $DSDIR, which the site sets, is passed by where it holds no such data set; what cannot be looked at
// there is a mistake too. Where no source is left, the
// data set is generated in the cache, once; CannotRun where that cannot be written.
DataFolder find_or_generate_data(const CifarLayout& layout, const DataSources& sources);

// The folder that find_or_generate_data would name, with nothing checked and nothing made; empty where no source is left.
std::string expected_data_path(const CifarLayout& layout, const DataSources& sources);

}  // namespace ddpbench
