#include "suite/formats/cifar_binary.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/formats/image_files.hpp"
#include "suite/formats/image_source.hpp"
#include "suite/formats/label_mistakes.hpp"

namespace ddpbench {
namespace {

std::string why_wrong(const DataSet& set, const DataFile& entry, const RecordFile& file) {
  return why_wrong_size({.records = entry.records, .record_bytes = cifar_record_bytes(set)}, file.size());
}

ImageFile open_binary(const DataSet& set, const DataFile& entry, const std::string& path) {
  ImageFile opened{.file = RecordFile(path), .label_bytes = static_cast<std::int64_t>(set.labels.size())};
  if (const auto why = why_wrong(set, entry, opened.file); !why.empty()) throw UsageError(path + ": " + why);
  return opened;
}

// Looks at the records that are there whole, so that a truncated file's labels are judged too.
void check_binary(const DataSet& set, const DataFile& entry, const std::string& path, std::vector<std::string>& mistakes) {
  const RecordFile file(path);
  const auto why = why_wrong(set, entry, file);
  if (!why.empty()) mistakes.push_back(path + ": " + why);
  const auto record_bytes = cifar_record_bytes(set);
  const auto records = std::min(file.size() / record_bytes, entry.records);
  std::vector<std::uint8_t> values(set.labels.size());
  LabelMistakes labels(path, mistakes);
  for (std::int64_t record = 0; record < records; ++record) {
    const auto begin = record * record_bytes;
    file.read(begin, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      labels.check(set.labels[i], values[i], {record, begin + static_cast<std::int64_t>(i)});
    }
  }
  labels.count_rest();
}

// The labels of one record, coarse ones first: classes that follow each other share a coarse class.
void put_labels(const DataSet& set, int label, std::string& bytes) {
  for (const auto& kind : set.labels) bytes.push_back(static_cast<char>(label * kind.classes / set.classes()));
}

std::string binary_file(const DataSet& set, const DataFile& file, const ImageSource& images, SplitMix64& words) {
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(file.records * cifar_record_bytes(set)));
  for (const int label : shuffled_labels(file.records, set.classes(), words)) {
    put_labels(set, label, bytes);
    images.append(label, words, bytes);
  }
  return bytes;
}

void generate_binary(const DataSet& set, std::uint64_t seed, const WriteFile& write) {
  const ImageSource images(set, seed);
  auto stream = first_stream(seed);
  for (const auto& file : set.versions.front().files) {
    SplitMix64 words(stream++);
    write(file.name, binary_file(set, file, images, words));
  }
  for (const auto& kind : set.labels) {
    std::string names;
    for (int i = 0; i < kind.classes; ++i) names += "generated_" + std::to_string(i) + "\n";
    write(kind.names_file, names);
  }
}

}  // namespace

const DataFormat kCifarBinary{open_binary, check_binary, generate_binary};

}  // namespace ddpbench
