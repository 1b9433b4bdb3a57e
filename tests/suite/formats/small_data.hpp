#pragma once
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "suite/formats/cifar_files.hpp"
#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// Data sets of the real kinds, but of few records.
inline constexpr std::array kSmall10Files{CifarFile{"data_batch_1.bin", Split::kTrain, 200, "data_batch_1"},
                                          CifarFile{"data_batch_2.bin", Split::kTrain, 200, "data_batch_2"},
                                          CifarFile{"test_batch.bin", Split::kTest, 100, "test_batch"}};
inline constexpr CifarLayout kSmall10{"cifar10",      "CIFAR-10",          "cifar-10-batches-bin", kSmall10Files,
                                      kCifar10Labels, kCifar10SiteFolders, "cifar-10-batches-py"};
inline constexpr std::array kSmall100Files{CifarFile{"train.bin", Split::kTrain, 300, "train"},
                                           CifarFile{"test.bin", Split::kTest, 100, "test"}};
inline constexpr CifarLayout kSmall100{"cifar100",      "CIFAR-100",          "cifar-100-binary", kSmall100Files,
                                       kCifar100Labels, kCifar100SiteFolders, "cifar-100-python"};

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

inline int label_of(const CifarImages& images, std::int64_t index) {
  CifarRecord buffer{};
  return images.read(index, buffer).label;
}

inline void put_byte(const std::string& path, std::int64_t offset, std::uint8_t value) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(offset);
  file.put(static_cast<char>(value));
}

}  // namespace ddpbench
