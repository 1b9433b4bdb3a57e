#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "suite/formats/cifar_binary.hpp"
#include "tests/suite/formats/small_zip.hpp"

// Files of CIFAR's Python version, as Python 2 and numpy wrote them.
namespace ddpbench::test {

// Python 2's str.
inline std::string text_of(const std::string& bytes) {
  return (bytes.size() < 256 ? "U" + little_endian(bytes.size(), 1) : "T" + little_endian(bytes.size(), 4)) + bytes;
}

inline std::string number_of(std::size_t value) {
  return value < 256 ? "K" + little_endian(value, 1) : "M" + little_endian(value, 2);
}

// As numpy's arrays of bytes are pickled: numpy.core.multiarray._reconstruct, then their state.
inline std::string array_of(const std::string& bytes, std::size_t records, const std::string& element = "u1",
                            char order = '\x89') {
  return "cnumpy.core.multiarray\n_reconstruct\nq\x07"
         "cnumpy\nndarray\nq\x08" +
         std::string("K\0\x85q\x09", 5) + text_of("b") + "\x87R(K\x01" + number_of(records) + number_of(bytes.size() / records) +
         "\x86"
         "cnumpy\ndtype\nq\x0b" +
         text_of(element) + std::string("K\0K\x01\x87R(K\x03", 9) + text_of("|") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xff" +
         std::string("K\0tb", 4) + order + text_of(bytes) + "tb";
}

// In runs of a thousand, as Python's pickler writes lists.
inline std::string list_of(const std::vector<int>& labels) {
  std::string text = "]q\x05";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i % 1000 == 0) text += i == 0 ? "(" : "e(";
    text += number_of(static_cast<std::size_t>(labels[i]));
  }
  return text + "e";
}

struct Batch {
  std::string pixels;
  std::vector<std::vector<int>> labels;  // by kind
};

inline std::string pickle_of(const DataSet& set, const Batch& batch) {
  auto text = "\x80\x02}q\x01(" + text_of("batch_label") + "q\x02" + text_of("training batch 1 of 5");
  for (std::size_t i = 0; i < set.labels.size(); ++i) {
    text += text_of(std::string(set.labels[i].python_key)) + list_of(batch.labels[i]);
  }
  return text + text_of("data") + array_of(batch.pixels, batch.pixels.size() / static_cast<std::size_t>(set.image.bytes())) +
         "u.";
}

// What the binary version says.
inline Batch batch_of(const DataSet& set, const std::string& records) {
  Batch batch{{}, std::vector<std::vector<int>>(set.labels.size())};
  for (std::size_t begin = 0; begin < records.size(); begin += static_cast<std::size_t>(cifar_record_bytes(set))) {
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
      batch.labels[i].push_back(static_cast<unsigned char>(records[begin + i]));
    }
    batch.pixels += records.substr(begin + set.labels.size(), static_cast<std::size_t>(set.image.bytes()));
  }
  return batch;
}

}  // namespace ddpbench::test
