#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddpbench::test {

// `value` in as many bytes, the lowest first.
inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

// A zip archive of files that are stored as they are, without their checksums (nobody reads them here).
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string archive, directory;
  for (const auto& [name, bytes] : files) {
    const auto sizes = little_endian(bytes.size(), 4) + little_endian(bytes.size(), 4) + little_endian(name.size(), 2);
    directory += "PK\x01\x02" + std::string(16, '\0') + sizes + std::string(12, '\0') + little_endian(archive.size(), 4) + name;
    archive += "PK\x03\x04" + std::string(14, '\0') + sizes + std::string(2, '\0') + name + bytes;
  }
  const auto begin = archive.size();
  return archive + directory + "PK\x05\x06" + std::string(4, '\0') + little_endian(files.size(), 2) +
         little_endian(files.size(), 2) + little_endian(directory.size(), 4) + little_endian(begin, 4) + std::string(2, '\0');
}

// torch 2.11.0: OrderedDict(w=zeros(2, 3), b=zeros(300)[3:5]) with the _metadata of a state_dict.
inline std::string sound_pickle() {
  using namespace std::string_literals;
  return "\x80\x02"
         "ccollections\nOrderedDict\nq\0)Rq\1(X\1\0\0\0wq\2ctorch._utils\n_rebuild_tensor_v2\nq\3(("
         "X\7\0\0\0storageq\4ctorch\nFloatStorage"
         "\nq\5X\1\0\0\0"
         "0q\6X\3\0\0\0cpuq\7K\6tq\x08QK\0K\2K\3\x86q\tK\3K\1\x86q\n\x89h\0)Rq\x0btq\x0cRq\rX\1\0\0\0bq\x0eh\3((h\4h\5X\1\0\0\0"
         "1q\x0fh\7M,\1tq\x10QK\3K\2\x85q\x11K\1\x85q\x12\x89h\0)Rq\x13tq\x14Rq\x15u}q\x16X\t\0\0\0_metadataq\x17h\0)Rq\x18sb."s;
}

// The file that torch.save makes of it, but for records that no reader asks for.
inline std::string sound_weights() {
  return zip_of({{"w/data.pkl", sound_pickle()}, {"w/data/0", std::string(24, '\0')}, {"w/data/1", std::string(1200, '\0')}});
}

}  // namespace ddpbench::test
