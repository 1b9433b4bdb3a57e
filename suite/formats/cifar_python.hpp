#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Is the Python version of CIFAR, as torchvision keeps it. Its check looks for the original's MD5 sum, but in generated data.
extern const DataFormat kCifarPython;

// Describes a file of that version: a pickle (protocol 2, of Python 2) of a
// dictionary with the images as one array of bytes, [records, 3072], and a list of labels for each kind.
struct CifarPythonFile {
  std::int64_t pixels_begin = 0;                  // in the file: records * 3072 bytes, each image as in the binary version
  std::vector<std::vector<std::int64_t>> labels;  // for each label of the data set, in its order: one per record
};

// Reads the whole file. Throws UsageError where it is no such file, cannot be read or is larger than any of them.
std::string python_file_bytes(const std::string& path);

// Finds pixels and labels in the bytes of a file; runs no code. Throws UsageError, beginning with `path`, where they are no such
// file or one of another size.
CifarPythonFile read_cifar_python(const DataSet& set, const DataFile& file, const std::string& path, std::string_view bytes);

// Returns the MD5 sum (RFC 1321) as 32 lower-case digits.
std::string md5_text(std::string_view bytes);

}  // namespace ddpbench
