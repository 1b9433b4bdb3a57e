#pragma once
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "suite/formats/cifar_binary.hpp"
#include "suite/formats/cifar_python.hpp"
#include "suite/formats/idx.hpp"
#include "suite/formats/image_files.hpp"

namespace ddpbench {

// Returns a data set of the table with other files.
inline DataSet with_files(std::string_view name, std::span<const DataVersion> versions) {
  auto set = find_data_set(name);
  set.versions = versions;
  return set;
}

// Data sets of the real kinds, but of few records.
inline constexpr std::array kSmall10Files{DataFile{"data_batch_1.bin", Split::kTrain, 200},
                                          DataFile{"data_batch_2.bin", Split::kTrain, 200},
                                          DataFile{"test_batch.bin", Split::kTest, 100}};
inline constexpr std::array kSmall10PythonFiles{DataFile{"data_batch_1", Split::kTrain, 200},
                                                DataFile{"data_batch_2", Split::kTrain, 200},
                                                DataFile{"test_batch", Split::kTest, 100}};
inline constexpr std::array kSmall10Versions{DataVersion{"cifar-10-batches-bin", &kCifarBinary, kSmall10Files},
                                             DataVersion{"cifar-10-batches-py", &kCifarPython, kSmall10PythonFiles}};
inline const DataSet kSmall10 = with_files("cifar10", kSmall10Versions);
inline constexpr std::array kSmall100Files{DataFile{"train.bin", Split::kTrain, 300}, DataFile{"test.bin", Split::kTest, 100}};
inline constexpr std::array kSmall100PythonFiles{DataFile{"train", Split::kTrain, 300}, DataFile{"test", Split::kTest, 100}};
inline constexpr std::array kSmall100Versions{DataVersion{"cifar-100-binary", &kCifarBinary, kSmall100Files},
                                              DataVersion{"cifar-100-python", &kCifarPython, kSmall100PythonFiles}};
inline const DataSet kSmall100 = with_files("cifar100", kSmall100Versions);
inline constexpr std::array kSmallMnistFiles{
    DataFile{"train-images-idx3-ubyte", Split::kTrain, 200, "", "train-labels-idx1-ubyte"},
    DataFile{"t10k-images-idx3-ubyte", Split::kTest, 100, "", "t10k-labels-idx1-ubyte"}};
inline constexpr std::array kSmallMnistVersions{DataVersion{"MNIST/raw", &kIdx, kSmallMnistFiles}};
inline const DataSet kSmallMnist = with_files("mnist", kSmallMnistVersions);

// A folder of this test's own, gone at its end.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "ddpbench-formats-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::filesystem::filesystem_error("mkdtemp", std::error_code(errno, std::generic_category()));
    path_ = name;
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline int label_of(const ImageFiles& images, std::int64_t index) {
  ImageRecord buffer{};
  return images.read(index, buffer).label;
}

inline void put_byte(const std::string& path, std::int64_t offset, std::uint8_t value) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(offset);
  file.put(static_cast<char>(value));
}

}  // namespace ddpbench
