// The entry points that libFuzzer calls. Its own options begin with one dash, ours with two:
//   ddpbench-fuzz --reader=NAME -runs=10000 CORPUS     searches
//   ddpbench-fuzz --list                               names the readers
//   ddpbench-fuzz --reader=NAME --write-sound=FOLDER   writes what a search begins with
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "tests/campaigns/fuzz/readers.hpp"

namespace {

const ddpbench::fuzz::Reader* chosen = nullptr;

std::string option(int count, char** arguments, const std::string& name) {
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.starts_with(name)) return argument.substr(name.size());
  }
  return "";
}

void write_sound(const std::string& folder) {
  int number = 0;
  for (const auto& text : chosen->sound()) std::ofstream(folder + "/" + std::to_string(number++), std::ios::binary) << text;
}

void list_readers() {
  for (const auto& reader : ddpbench::fuzz::readers()) std::cout << reader.name << '\n';
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  if (*count == 2 && std::string((*arguments)[1]) == "--list") {
    list_readers();
    std::cout << std::flush;
    std::_Exit(0);
  }
  try {
    chosen = &ddpbench::find_entry(ddpbench::fuzz::readers(), "reader", option(*count, *arguments, "--reader="));
  } catch (const ddpbench::UsageError& error) {
    std::cerr << error.what() << '\n';
    std::_Exit(2);
  }
  const auto folder = option(*count, *arguments, "--write-sound=");
  if (folder.empty()) return 0;
  write_sound(folder);
  std::_Exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    chosen->read(std::string(reinterpret_cast<const char*>(bytes), size));
  } catch (const ddpbench::Error&) {  // refused, in words
  }
  return 0;
}
