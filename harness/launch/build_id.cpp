#include "harness/launch/build_id.hpp"

#include <elf.h>
#include <link.h>

#include <array>
#include <cstring>

namespace ddpbench {
namespace {

std::string hex(const unsigned char* bytes, std::size_t count) {
  constexpr std::array<char, 17> kDigits{"0123456789abcdef"};
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4U];
    text += kDigits[bytes[i] & 15U];
  }
  return text;
}

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

std::string id_in_notes(const unsigned char* at, std::size_t size) {
  const auto* const end = at + size;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note{};
    std::memcpy(&note, at, sizeof note);
    const auto* description = at + sizeof note + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID) return hex(description, note.n_descsz);
    at = description + padded(note.n_descsz);
  }
  return "";
}

bool is_in(const dl_phdr_info& object, std::uintptr_t address) {
  for (ElfW(Half) i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    const auto begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz) return true;
  }
  return false;
}

// Finds the build id of the program or module that holds this code.
int find_in_object(dl_phdr_info* object, std::size_t /*size*/, void* result) {
  if (!is_in(*object, reinterpret_cast<std::uintptr_t>(&find_in_object))) return 0;
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    auto id = id_in_notes(reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(result) = std::move(id);
  }
  return 1;  // stop here
}

}  // namespace

std::string build_id() {
  std::string id;
  dl_iterate_phdr(find_in_object, &id);
  return id.empty() ? "unknown" : id;
}

}  // namespace ddpbench
