#include "suite/formats/idx.hpp"

#include <filesystem>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/formats/image_files.hpp"
#include "suite/formats/image_source.hpp"
#include "suite/formats/label_mistakes.hpp"

namespace ddpbench {
namespace {

using Sizes = std::vector<std::int64_t>;  // of each dimension

constexpr std::int64_t kNumberBytes = 4;  // of a number in a header
constexpr std::uint32_t kUnsignedBytes = 0x0800;
constexpr std::uint32_t kGzip = 0x1f8b;

std::uint32_t magic_number(const Sizes& sizes) { return kUnsignedBytes + static_cast<std::uint32_t>(sizes.size()); }

std::string hexadecimal(std::uint32_t number) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(number >> static_cast<unsigned>(shift)) & 0xfU];
  return text;
}

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const auto size : sizes) text += (text.empty() ? "[" : ", ") + std::to_string(size);
  return text + "]";
}

// The numbers of a header of these dimensions.
std::vector<std::uint32_t> header_numbers(const RecordFile& file, const Sizes& sizes) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(kNumberBytes) * (1 + sizes.size()));
  file.read(0, bytes);
  std::vector<std::uint32_t> numbers(1 + sizes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) numbers[i / kNumberBytes] = numbers[i / kNumberBytes] << 8U | bytes[i];
  return numbers;
}

std::string why_wrong_header(const RecordFile& file, const Sizes& sizes) {
  const auto numbers = header_numbers(file, sizes);
  const auto legal = magic_number(sizes);
  if (numbers[0] >> 16U == kGzip) return "is compressed: decompress it by gunzip";
  if (numbers[0] != legal) {
    return "begins with " + hexadecimal(numbers[0]) + ", must begin with " + hexadecimal(legal) + " (unsigned bytes in " +
           std::to_string(sizes.size()) + (sizes.size() == 1 ? " dimension)" : " dimensions)");
  }
  const Sizes found(numbers.begin() + 1, numbers.end());
  return found == sizes ? "" : "holds " + text_of(found) + " bytes, must be " + text_of(sizes);
}

std::int64_t header_bytes(const Sizes& sizes) { return kNumberBytes * (1 + static_cast<std::int64_t>(sizes.size())); }

// A file that holds unsigned bytes of these sizes.
RecordFile open_sized(const std::string& path, const Sizes& sizes) {
  if (!std::filesystem::exists(path) && std::filesystem::exists(path + ".gz"))
    throw UsageError(path + ": is there as .gz only: decompress it by gunzip");
  RecordFile file(path);
  RecordCount legal{.records = sizes.front(), .record_bytes = 1, .header_bytes = header_bytes(sizes)};
  for (std::size_t i = 1; i < sizes.size(); ++i) legal.record_bytes *= sizes[i];
  auto why = file.size() < legal.header_bytes ? "" : why_wrong_header(file, sizes);
  if (why.empty()) why = why_wrong_size(legal, file.size());
  if (!why.empty()) throw UsageError(path + ": " + why);
  return file;
}

Sizes image_sizes(const DataSet& set, const DataFile& entry) { return {entry.records, set.image.height, set.image.width}; }

std::string labels_path(const DataFile& entry, const std::string& path) {
  return (std::filesystem::path(path).parent_path() / entry.labels_name).string();
}

// All labels, with those out of range among the mistakes.
std::vector<std::int64_t> read_labels(const DataSet& set, const DataFile& entry, const std::string& path,
                                      std::vector<std::string>& mistakes) {
  const Sizes sizes{entry.records};
  std::vector<std::uint8_t> values(static_cast<std::size_t>(entry.records));
  open_sized(path, sizes).read(header_bytes(sizes), values);
  LabelMistakes labels(path, mistakes);
  for (std::int64_t i = 0; i < entry.records; ++i) {
    labels.check(set.labels.back(), values[static_cast<std::size_t>(i)], {i, header_bytes(sizes) + i});
  }
  labels.count_rest();
  return {values.begin(), values.end()};
}

ImageFile open_idx(const DataSet& set, const DataFile& entry, const std::string& path) {
  const auto sizes = image_sizes(set, entry);
  ImageFile opened{.file = open_sized(path, sizes), .begin = header_bytes(sizes)};
  std::vector<std::string> mistakes;
  opened.labels = read_labels(set, entry, labels_path(entry, path), mistakes);
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
  return opened;
}

void check_idx(const DataSet& set, const DataFile& entry, const std::string& path, std::vector<std::string>& mistakes) {
  try {
    open_sized(path, image_sizes(set, entry));
  } catch (const UsageError& error) {
    mistakes.emplace_back(error.what());
  }
  read_labels(set, entry, labels_path(entry, path), mistakes);
}

std::string header_of(const Sizes& sizes) {
  std::string bytes;
  const auto put = [&](std::uint32_t number) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes.push_back(static_cast<char>(number >> shift));
  };
  put(magic_number(sizes));
  for (const auto size : sizes) put(static_cast<std::uint32_t>(size));
  return bytes;
}

void generate_idx(const DataSet& set, std::uint64_t seed, const WriteFile& write) {
  const ImageSource source(set, seed);
  auto stream = first_stream(seed);
  for (const auto& entry : set.versions.front().files) {
    SplitMix64 words(stream++);
    auto images = header_of(image_sizes(set, entry)), labels = header_of({entry.records});
    images.reserve(images.size() + static_cast<std::size_t>(entry.records * set.image.bytes()));
    for (const int label : shuffled_labels(entry.records, set.classes(), words)) {
      labels.push_back(static_cast<char>(label));
      source.append(label, words, images);
    }
    write(entry.name, images);
    write(entry.labels_name, labels);
  }
}

}  // namespace

const DataFormat kIdx{open_idx, check_idx, generate_idx};

}  // namespace ddpbench
