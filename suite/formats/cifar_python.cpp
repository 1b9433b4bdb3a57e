#include "suite/formats/cifar_python.hpp"

#include <md5.h>

#include <array>
#include <deque>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/formats/pickle_machine.hpp"
#include "suite/formats/record_file.hpp"

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

CifarPythonFile read(const CifarLayout& layout, const CifarFile& file, std::string_view bytes) {
  CifarPickle pickle(bytes);
  pickle.read();
  const auto& images = pickle.array("data");
  if (images.shape != std::vector{file.records, kCifarPixelBytes} ||
      static_cast<std::int64_t>(images.bytes.size()) != file.records * kCifarPixelBytes) {
    pickle.refuse("holds an array that is not [" + std::to_string(file.records) + ", " + std::to_string(kCifarPixelBytes) + "]");
  }
  CifarPythonFile found{images.bytes.data() - bytes.data(), {}};
  for (const auto& kind : layout.labels) {
    found.labels.push_back(pickle.list(kind.python_key));
    if (static_cast<std::int64_t>(found.labels.back().size()) == file.records) continue;
    pickle.refuse("holds " + std::to_string(found.labels.back().size()) + " of " + std::to_string(file.records) + " " +
                  std::string(kind.python_key));
  }
  return found;
}

}  // namespace

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

CifarPythonFile read_cifar_python(const CifarLayout& layout, const CifarFile& file, const std::string& path,
                                  std::string_view bytes) {
  try {
    return read(layout, file, bytes);
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
