#include <algorithm>
#include <array>

#include "suite/formats/cifar_binary.hpp"
#include "suite/formats/cifar_python.hpp"
#include "suite/formats/data_set.hpp"
#include "suite/formats/idx.hpp"

namespace ddpbench {
namespace {

// CIFAR (https://www.cs.toronto.edu/~kriz/cifar.html). torchvision looks for the same MD5 sums.
constexpr ImageShape kCifarImage{3, 32, 32};

constexpr std::array kCifar10Files{
    DataFile{"data_batch_1.bin", Split::kTrain, 10000}, DataFile{"data_batch_2.bin", Split::kTrain, 10000},
    DataFile{"data_batch_3.bin", Split::kTrain, 10000}, DataFile{"data_batch_4.bin", Split::kTrain, 10000},
    DataFile{"data_batch_5.bin", Split::kTrain, 10000}, DataFile{"test_batch.bin", Split::kTest, 10000}};
constexpr std::array kCifar10PythonFiles{DataFile{"data_batch_1", Split::kTrain, 10000, "c99cafc152244af753f735de768cd75f"},
                                         DataFile{"data_batch_2", Split::kTrain, 10000, "d4bba439e000b95fd0a9bffe97cbabec"},
                                         DataFile{"data_batch_3", Split::kTrain, 10000, "54ebc095f3ab1f0389bbae665268c751"},
                                         DataFile{"data_batch_4", Split::kTrain, 10000, "634d18415352ddfa80567beed471001a"},
                                         DataFile{"data_batch_5", Split::kTrain, 10000, "482c414d41f54cd18b22e5b47cb7c3cb"},
                                         DataFile{"test_batch", Split::kTest, 10000, "40351d587109b95175f43aff81a1287e"}};
constexpr std::array kCifar10Versions{DataVersion{"cifar-10-batches-bin", &kCifarBinary, kCifar10Files},
                                      DataVersion{"cifar-10-batches-py", &kCifarPython, kCifar10PythonFiles}};
constexpr std::array kCifar10Labels{DataLabel{"label", 10, "batches.meta.txt", "labels"}};
constexpr std::array<std::string_view, 4> kCifar10SiteFolders{"CIFAR_10", "CIFAR-10", "CIFAR10", "cifar10"};

constexpr std::array kCifar100Files{DataFile{"train.bin", Split::kTrain, 50000}, DataFile{"test.bin", Split::kTest, 10000}};
constexpr std::array kCifar100PythonFiles{DataFile{"train", Split::kTrain, 50000, "16019d7e3df5f24257cddd939b257f8d"},
                                          DataFile{"test", Split::kTest, 10000, "f0ef6b0ae62326f3e7ffdfab6717acfc"}};
constexpr std::array kCifar100Versions{DataVersion{"cifar-100-binary", &kCifarBinary, kCifar100Files},
                                       DataVersion{"cifar-100-python", &kCifarPython, kCifar100PythonFiles}};
constexpr std::array kCifar100Labels{DataLabel{"coarse label", 20, "coarse_label_names.txt", "coarse_labels"},
                                     DataLabel{"fine label", 100, "fine_label_names.txt", "fine_labels"}};
constexpr std::array<std::string_view, 4> kCifar100SiteFolders{"CIFAR_100", "CIFAR-100", "CIFAR100", "cifar100"};

// MNIST (LeCun et al. 1998), in the folder in which torchvision keeps it. Its mean and deviation are those of PyTorch's example.
constexpr std::array kMnistFiles{DataFile{"train-images-idx3-ubyte", Split::kTrain, 60000, "", "train-labels-idx1-ubyte"},
                                 DataFile{"t10k-images-idx3-ubyte", Split::kTest, 10000, "", "t10k-labels-idx1-ubyte"}};
constexpr std::array kMnistVersions{DataVersion{"MNIST/raw", &kIdx, kMnistFiles}};
constexpr std::array kMnistLabels{DataLabel{"label", 10}};
constexpr std::array<std::string_view, 2> kMnistSiteFolders{"MNIST", "mnist"};

constexpr std::array kDataSets{
    DataSet{"cifar10",
            "CIFAR-10",
            kCifarImage,
            kCifar10Labels,
            kCifar10Versions,
            kCifar10SiteFolders,
            {0.4914F, 0.4822F, 0.4465F},
            {0.2470F, 0.2435F, 0.2616F}},
    DataSet{"cifar100",
            "CIFAR-100",
            kCifarImage,
            kCifar100Labels,
            kCifar100Versions,
            kCifar100SiteFolders,
            {0.5071F, 0.4865F, 0.4409F},
            {0.2673F, 0.2564F, 0.2762F}},
    DataSet{"mnist", "MNIST", {1, 28, 28}, kMnistLabels, kMnistVersions, kMnistSiteFolders, {0.1307F}, {0.3081F}},
};

static_assert(std::all_of(kDataSets.begin(), kDataSets.end(), [](const DataSet& set) {
  return set.image.bytes() + static_cast<std::int64_t>(set.labels.size()) <= kMostRecordBytes &&
         set.image.channels <= static_cast<std::int64_t>(set.mean.size()) && set.image.width <= kMostImageWidth;
}));

}  // namespace

std::span<const DataSet> data_sets() { return kDataSets; }

}  // namespace ddpbench
