#include "suite/formats/weights_file.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "suite/base/errors.hpp"
#include "suite/formats/zip_directory.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kMaxPickleBytes = std::int64_t{4} << 20U;  // a hundred bytes a tensor are usual
constexpr const char* kNotWhole = "is not a whole file as torch.save writes it";

// Told before the archive is looked for: these are files that people take for weights.
void require_archive(const RecordFile& file) {
  std::array<std::uint8_t, 2> first{};
  if (file.size() < static_cast<std::int64_t>(first.size())) throw UsageError(std::string(kNotWhole) + ": it is empty");
  file.read(0, first);
  constexpr std::uint8_t kProtocol = 0x80;  // of a pickle; torch.save wrote one before it wrote archives
  if (first[0] == kProtocol) throw UsageError("is in the format of torch.save before PyTorch 1.6: load it and save it again");
  if (first[0] != 'P' || first[1] != 'K') throw UsageError(std::string(kNotWhole) + " (it does not begin with \"PK\")");
}

std::map<std::string, ZipRecord> records_by_name(const RecordFile& file) {
  std::map<std::string, ZipRecord> records;
  std::string folder;  // all records stand in one, of any name
  for (auto& record : read_zip_directory(file)) {
    if (folder.empty()) folder = record.name.substr(0, record.name.find('/') + 1);
    if (record.name.starts_with(folder)) records.emplace(record.name.substr(folder.size()), std::move(record));
  }
  return records;
}

// How many bytes an element has is LibTorch's to know: as many in each.
void require_storage(const StoredTensor& tensor, const std::map<std::string, ZipRecord>& records) {
  const auto record = records.find("data/" + tensor.key);
  if (record == records.end()) throw UsageError(std::string(kNotWhole) + ": the values of " + tensor.name + " are missing");
  const auto bytes = record->second.bytes;
  const bool fits = tensor.elements == 0 || (tensor.elements > 0 && bytes >= tensor.elements && bytes % tensor.elements == 0);
  if (!fits)
    throw UsageError(std::string(kNotWhole) + ": the values of " + tensor.name + " are " + std::to_string(bytes) + " bytes");
  if (const auto why = why_outside_storage(tensor); !why.empty()) throw UsageError(tensor.name + " " + why);
}

std::vector<StoredTensor> index_of(const RecordFile& file) {
  require_archive(file);
  const auto records = records_by_name(file);
  const auto pickle = records.find("data.pkl");
  if (pickle == records.end()) throw UsageError(std::string(kNotWhole) + ": it holds no data.pkl");
  auto tensors = read_state_dict_pickle(read_zip_record(file, pickle->second, kMaxPickleBytes));
  for (const auto& tensor : tensors) require_storage(tensor, records);
  return tensors;
}

RecordFile opened(const std::string& path) {
  try {
    return RecordFile(path);
  } catch (const UsageError& error) {  // which names the path
    throw UsageError("weights " + std::string(error.what()));
  }
}

}  // namespace

std::string why_outside_storage(const StoredTensor& tensor) {
  const auto outside = "does not lie in its storage of " + std::to_string(tensor.elements) + " elements";
  if (tensor.sizes.size() != tensor.strides.size() || tensor.offset < 0) return outside;
  std::int64_t last = tensor.offset;
  bool is_empty = false;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    const auto size = tensor.sizes[i], stride = tensor.strides[i];
    if (size < 0 || stride < 0) return outside;
    is_empty = is_empty || size == 0;
    std::int64_t step = 0;
    if (size > 0 && (__builtin_mul_overflow(size - 1, stride, &step) || __builtin_add_overflow(last, step, &last)))
      return outside;
  }
  return is_empty || last < tensor.elements ? "" : outside;
}

std::vector<StoredTensor> read_weights_index(const std::string& path) {
  const auto file = opened(path);
  try {
    return index_of(file);
  } catch (const UsageError& error) {
    throw UsageError("weights " + path + ": " + error.what());
  }
}

}  // namespace ddpbench
