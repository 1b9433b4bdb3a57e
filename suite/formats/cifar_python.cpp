#include "suite/formats/cifar_python.hpp"

#include <md5.h>

#include <array>
#include <deque>
#include <filesystem>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/image_files.hpp"
#include "suite/formats/label_mistakes.hpp"
#include "suite/formats/pickle_machine.hpp"

namespace ddpbench {
namespace {

constexpr std::string_view kArray = "array", kElement = "dtype";  // sorts of objects

struct ByteArray {
  std::vector<std::int64_t> shape;
  std::string_view bytes;
};

class CifarPickle : public PickleMachine {
 public:
  explicit CifarPickle(std::string_view pickle) : PickleMachine(pickle, "a batch of CIFAR's Python version") {}

  void read() {
    content_ = run();
    expect(content_, Kind::kDictionary);
  }

  const ByteArray& array(std::string_view key) const {
    const auto& value = at(key);
    if (value.kind != Kind::kObject || value.text != kArray) refuse("holds something else than an array as " + std::string(key));
    return arrays_[static_cast<std::size_t>(value.number)];
  }

  std::vector<std::int64_t> list(std::string_view key) const {
    std::vector<std::int64_t> found;
    for (const auto& item : *expect(at(key), Kind::kList).items) found.push_back(expect(item, Kind::kNumber).number);
    return found;
  }

 protected:
  PickleValue called(std::string_view global, const PickleValue& arguments) override {
    if (global == "numpy.core.multiarray\n_reconstruct") return new_array();
    if (global != "numpy\ndtype") unknown(global);
    if (expect(argument(arguments, 0), Kind::kText).text != "u1") refuse("holds an array of something else than bytes");
    return {.kind = Kind::kObject, .text = kElement};
  }

  // Of an array: (version, shape, dtype, is in Fortran's order, bytes).
  void set_state(const PickleValue& object, const PickleValue& state) override {
    if (object.kind != Kind::kObject || object.text != kArray) return;
    if (expect(argument(state, 2), Kind::kObject).text != kElement) refuse("holds an array of something else than bytes");
    if (expect(argument(state, 3), Kind::kNumber).number != 0) refuse("holds an array in Fortran's order");
    arrays_[static_cast<std::size_t>(object.number)] = {numbers(argument(state, 1)),
                                                        expect(argument(state, 4), Kind::kText).text};
  }

 private:
  PickleValue new_array() {
    arrays_.emplace_back();
    return {.kind = Kind::kObject, .number = static_cast<std::int64_t>(arrays_.size()) - 1, .text = kArray};
  }

  const PickleValue& at(std::string_view key) const {
    const auto& items = *content_.items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      if (items[i].kind == Kind::kText && items[i].text == key) return items[i + 1];
    }
    refuse("holds no " + std::string(key));
  }

  PickleValue content_;
  std::deque<ByteArray> arrays_;
};

CifarPythonFile read(const DataSet& set, const DataFile& file, std::string_view bytes) {
  CifarPickle pickle(bytes);
  pickle.read();
  const auto& images = pickle.array("data");
  const auto image_bytes = set.image.bytes();
  if (images.shape != std::vector{file.records, image_bytes} ||
      static_cast<std::int64_t>(images.bytes.size()) != file.records * image_bytes) {
    pickle.refuse("holds an array that is not [" + std::to_string(file.records) + ", " + std::to_string(image_bytes) + "]");
  }
  CifarPythonFile found{images.bytes.data() - bytes.data(), {}};
  for (const auto& kind : set.labels) {
    found.labels.push_back(pickle.list(kind.python_key));
    if (static_cast<std::int64_t>(found.labels.back().size()) == file.records) continue;
    pickle.refuse("holds " + std::to_string(found.labels.back().size()) + " of " + std::to_string(file.records) + " " +
                  std::string(kind.python_key));
  }
  return found;
}

ImageFile open_python(const DataSet& set, const DataFile& entry, const std::string& path) {
  ImageFile opened{.file = RecordFile(path)};
  auto found = read_cifar_python(set, entry, path, python_file_bytes(path));
  opened.begin = found.pixels_begin;
  opened.labels = std::move(found.labels.back());
  return opened;
}

void check_python(const DataSet& set, const DataFile& entry, const std::string& path, std::vector<std::string>& mistakes) {
  const auto before = mistakes.size();
  const auto bytes = python_file_bytes(path);
  const auto found = read_cifar_python(set, entry, path, bytes);
  for (std::size_t kind = 0; kind < set.labels.size(); ++kind) {
    LabelMistakes labels(path, mistakes);
    const auto& values = found.labels[kind];
    for (std::size_t i = 0; i < values.size(); ++i) labels.check(set.labels[kind], values[i], {static_cast<std::int64_t>(i)});
    labels.count_rest();
  }
  const bool is_generated = generated_seed(std::filesystem::path(path).parent_path().string()).has_value();
  if (mistakes.size() > before || is_generated) return;
  const auto sum = md5_text(bytes);
  if (sum == entry.md5) return;
  mistakes.push_back(path + ": is not the original " + std::string(set.title) + ": its MD5 sum is " + sum + ", must be " +
                     std::string(entry.md5));
}

}  // namespace

const DataFormat kCifarPython{open_python, check_python, nullptr};

std::string python_file_bytes(const std::string& path) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 28;  // the largest, CIFAR-100's training set, has 155 MB
  const RecordFile file(path);
  if (file.size() > kMostBytes) {
    throw UsageError(path + ": " + std::to_string(file.size()) + " bytes, must be at most " + std::to_string(kMostBytes));
  }
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

CifarPythonFile read_cifar_python(const DataSet& set, const DataFile& file, const std::string& path, std::string_view bytes) {
  try {
    return read(set, file, bytes);
  } catch (const UsageError& error) {
    throw UsageError(path + ": " + error.what());
  }
}

std::string md5_text(std::string_view bytes) {
  std::array<char, MD5_DIGEST_STRING_LENGTH> text{};
  ::MD5Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), text.data());
  return text.data();
}

}  // namespace ddpbench
