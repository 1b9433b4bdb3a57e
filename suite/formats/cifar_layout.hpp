#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ddpbench {

// Names a part of a data set: 50,000 images to train on, 10,000 to test.
enum class Split { kTrain, kTest };

// Describes one file of a data set.
struct CifarFile {
  std::string_view name;
  Split split;
  std::int64_t records;               // the same in all files of a split
  std::string_view python_name = {};  // of the Python version
  std::string_view python_md5 = {};   // of the original; torchvision looks for the same
};

// Describes one label byte of a record.
struct CifarLabel {
  std::string_view word;  // as messages call it
  int classes;
  std::string_view names_file;  // a class name per line
  std::string_view python_key = {};
};

// Describes the binary version of a CIFAR data set (https://www.cs.toronto.edu/~kriz/cifar.html): files of nothing but records, a
// record is its label bytes and then 3072 pixel bytes (red, green, blue plane, each 32 rows of 32). The last label is the class
// to learn.
struct CifarLayout {
  std::string_view name;    // on the command line
  std::string_view title;   // in sentences
  std::string_view folder;  // in the archive
  std::span<const CifarFile> files;
  std::span<const CifarLabel> labels;
  std::span<const std::string_view> site_folders;  // where clusters keep `folder` below $DSDIR, after $DSDIR itself
  std::string_view python_folder = {};             // of the Python version's archive (cifar_python.hpp)

  constexpr std::int64_t label_bytes() const { return static_cast<std::int64_t>(labels.size()); }
  constexpr std::int64_t record_bytes() const;
  constexpr int classes() const { return labels.back().classes; }
  constexpr std::int64_t records(Split split) const {
    std::int64_t sum = 0;
    for (const auto& file : files) sum += file.split == split ? file.records : 0;
    return sum;
  }
};

inline constexpr std::int64_t kCifarChannels = 3;                                           // red, green, blue
inline constexpr std::int64_t kCifarEdge = 32;                                              // rows, and pixels of a row
inline constexpr std::int64_t kCifarPixelBytes = kCifarChannels * kCifarEdge * kCifarEdge;  // of one image

constexpr std::int64_t CifarLayout::record_bytes() const { return label_bytes() + kCifarPixelBytes; }

// Lists the files, labels and folders of CIFAR-10.
inline constexpr std::array kCifar10Files{
    CifarFile{"data_batch_1.bin", Split::kTrain, 10000, "data_batch_1", "c99cafc152244af753f735de768cd75f"},
    CifarFile{"data_batch_2.bin", Split::kTrain, 10000, "data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"},
    CifarFile{"data_batch_3.bin", Split::kTrain, 10000, "data_batch_3", "54ebc095f3ab1f0389bbae665268c751"},
    CifarFile{"data_batch_4.bin", Split::kTrain, 10000, "data_batch_4", "634d18415352ddfa80567beed471001a"},
    CifarFile{"data_batch_5.bin", Split::kTrain, 10000, "data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"},
    CifarFile{"test_batch.bin", Split::kTest, 10000, "test_batch", "40351d587109b95175f43aff81a1287e"},
};
inline constexpr std::array kCifar10Labels{CifarLabel{"label", 10, "batches.meta.txt", "labels"}};
inline constexpr std::array<std::string_view, 4> kCifar10SiteFolders{"CIFAR_10", "CIFAR-10", "CIFAR10", "cifar10"};

// Lists the same of CIFAR-100.
inline constexpr std::array kCifar100Files{
    CifarFile{"train.bin", Split::kTrain, 50000, "train", "16019d7e3df5f24257cddd939b257f8d"},
    CifarFile{"test.bin", Split::kTest, 10000, "test", "f0ef6b0ae62326f3e7ffdfab6717acfc"},
};
inline constexpr std::array kCifar100Labels{CifarLabel{"coarse label", 20, "coarse_label_names.txt", "coarse_labels"},
                                            CifarLabel{"fine label", 100, "fine_label_names.txt", "fine_labels"}};
inline constexpr std::array<std::string_view, 4> kCifar100SiteFolders{"CIFAR_100", "CIFAR-100", "CIFAR100", "cifar100"};

// Lists every data set that can be read.
inline constexpr std::array kCifarLayouts{
    CifarLayout{"cifar10", "CIFAR-10", "cifar-10-batches-bin", kCifar10Files, kCifar10Labels, kCifar10SiteFolders,
                "cifar-10-batches-py"},
    CifarLayout{"cifar100", "CIFAR-100", "cifar-100-binary", kCifar100Files, kCifar100Labels, kCifar100SiteFolders,
                "cifar-100-python"},
};

// Returns the layout of that name. Throws UsageError naming the known ones.
const CifarLayout& find_cifar_layout(std::string_view name);

// Says where the files of a data set are, and in which of its two versions.
struct CifarFolder {
  std::string path;
  bool is_python = false;
  std::string file(const CifarFile& entry) const { return path + "/" + std::string(is_python ? entry.python_name : entry.name); }
};

// Finds the folder that a user may mean by `path`: one that holds `layout.folder` or `layout.python_folder`, or one of these
// itself. Prefers the binary version where both are there; names its folder where neither is.
CifarFolder cifar_folder(const CifarLayout& layout, const std::string& path);

}  // namespace ddpbench
