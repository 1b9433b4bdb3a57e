#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

struct DataSet;
struct ImageFile;

// Names a part of a data set: images to train on, images to test.
enum class Split { kTrain, kTest };

// Says how many values an image has. Its bytes lie plane after plane, row after row.
struct ImageShape {
  std::int64_t channels;
  std::int64_t height;
  std::int64_t width;
  constexpr std::int64_t bytes() const { return channels * height * width; }
};

// Describes one file of a data set.
struct DataFile {
  std::string_view name;
  Split split;
  std::int64_t records;               // the same in all files of a split
  std::string_view md5 = {};          // of the original, where its format checks it
  std::string_view labels_name = {};  // of the file beside it that holds the labels, where its format has one
};

// Describes one label of a record.
struct DataLabel {
  std::string_view word;  // as messages call it
  int classes;
  std::string_view names_file = {};  // a class name per line
  std::string_view python_key = {};  // in files of CIFAR's Python version
};

// Writes a file of a generated data set.
using WriteFile = std::function<void(std::string_view name, std::string_view bytes)>;

// Says how the files of a data set are read, checked and made; there is one of these for each format.
struct DataFormat {
  // Opens a file, given its path. Throws UsageError where it is missing, unreadable or wrong.
  ImageFile (*open)(const DataSet& set, const DataFile& file, const std::string& path);
  // Adds everything that is wrong with a file, labels too, to the mistakes. Throws UsageError likewise.
  void (*check)(const DataSet& set, const DataFile& file, const std::string& path, std::vector<std::string>& mistakes);
  // Writes made-up images in this format; null where the format is read only: not that of a first version.
  void (*generate)(const DataSet& set, std::uint64_t seed, const WriteFile& write);
};

// Describes one version in which a data set is published: the folder that holds its files, and how they are read.
struct DataVersion {
  std::string_view folder;  // in the archive
  const DataFormat* format;
  std::span<const DataFile> files;
};

// Describes one data set: a line of the table in data_sets.cpp. The last label is the class to learn.
struct DataSet {
  std::string_view name;   // on the command line
  std::string_view title;  // in sentences
  ImageShape image;
  std::span<const DataLabel> labels;
  std::span<const DataVersion> versions;  // the first is the one that is generated, and preferred where several are there
  std::span<const std::string_view> site_folders;  // where clusters keep a version's folder below $DSDIR, after $DSDIR itself
  // Mean and standard deviation of each channel of the real training set, in units of a pixel's 0 … 1.
  std::array<float, 3> mean;
  std::array<float, 3> deviation;

  constexpr int classes() const { return labels.back().classes; }
  constexpr std::int64_t records(Split split) const {
    std::int64_t sum = 0;
    for (const auto& file : versions.front().files) sum += file.split == split ? file.records : 0;
    return sum;
  }
};

// Bounds the bytes of a record, labels included, and an image's width, of all data sets.
inline constexpr std::int64_t kMostRecordBytes = 3074;
inline constexpr std::int64_t kMostImageWidth = 32;

// Returns the table of data sets that can be read.
std::span<const DataSet> data_sets();

// Returns the data set of that name. Throws UsageError naming the known ones.
const DataSet& find_data_set(std::string_view name);

// Says where the files of a data set are, and in which of its versions.
struct FilesFolder {
  std::string path;
  const DataVersion* version;
  std::string file(const DataFile& entry) const { return path + "/" + std::string(entry.name); }
};

// Finds the folder that a user may mean by `path`: one that holds the folder of a version, or one of these itself. Prefers the
// first version where several are there; names its folder where none is.
FilesFolder files_folder(const DataSet& set, const std::string& path);

}  // namespace ddpbench
