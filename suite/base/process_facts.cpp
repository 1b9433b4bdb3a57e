#include "suite/base/process_facts.hpp"

#include <gnu/libc-version.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/node_layout.hpp"

namespace ddpbench {
namespace {

std::string first_word(const char* path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// "always [madvise] never" -> "madvise"
std::string chosen_word(const char* path) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  }
  return "";
}

// "0-3 8", and the memory nodes that these lie on.
void add_cores(std::map<std::string, std::string>& facts) {
  try {
    const auto cores = allowed_cores();
    facts["allowed_cores"] = list_of_numbers(cores, ' ');
    facts["memory_nodes"] = list_of_numbers(memory_nodes_of(core_layout(cores)));
  } catch (const Error&) {  // the system does not say
  }
}

}  // namespace

std::string value_in(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name, 0) != 0) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

std::map<std::string, std::string> process_facts() {
  utsname system{};
  ::uname(&system);
  std::map<std::string, std::string> facts{
      {"host", system.nodename},
      {"kernel", std::string(system.sysname) + " " + system.release},
      {"libc", gnu_get_libc_version()},
      {"cpu_model", value_in("/proc/cpuinfo", "model name")},
      {"cpu_mhz", value_in("/proc/cpuinfo", "cpu MHz")},
      {"governor", first_word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"cores", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
      {"transparent_hugepage", chosen_word("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load", first_word("/proc/loadavg")},
  };
  add_cores(facts);
  if (const int nice = ::getpriority(PRIO_PROCESS, 0); nice != 0) facts["nice"] = std::to_string(nice);
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

}  // namespace ddpbench
