#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suite/formats/cifar_layout.hpp"

namespace ddpbench {

// A file of the Python version of a CIFAR data set, as torchvision keeps it: a pickle (protocol 2, of Python 2) of a dictionary with the images
// as one array of bytes, [records, 3072], and a list of labels for each kind.
struct CifarPythonFile {
  std::int64_t pixels_begin = 0;                  // in the file: records * 3072 bytes, each image as in the binary version
  std::vector<std::vector<std::int64_t>> labels;  // for each kind of the layout, in its order: one per record
};

// The whole file. Throws UsageError where it is none, cannot be read or is larger than any such file.
std::string python_file_bytes(const std::string& path);

// Runs no code. Throws UsageError, beginning with `path`, where the bytes are no such file or one of another size.
CifarPythonFile read_cifar_python(const CifarLayout& layout, const CifarFile& file, const std::string& path,
                                  std::string_view bytes);

// 32 lower-case digits (RFC 1321).
std::string md5_text(std::string_view bytes);

}  // namespace ddpbench
