#include "suite/base/node_layout.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "suite/base/numbers.hpp"
#include "suite/base/process_facts.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  return line;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (fs::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end; entry.increment(unreadable)) {
    names.push_back(entry->path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::map<int, int> memory_node_by_core(const std::string& root) {
  std::map<int, int> nodes;
  const auto folder = root + "/sys/devices/system/node/";
  for (const auto& name : names_in(folder)) {
    const auto node = name.starts_with("node") ? parse_number<int>(std::string_view(name).substr(4)) : std::nullopt;
    if (!node) continue;
    for (const int core : numbers_in_list(first_line(folder + name + "/cpulist"))) nodes[core] = *node;
  }
  return nodes;
}

int physical_core(int core, const std::string& root) {
  const auto path = root + "/sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/thread_siblings_list";
  const auto siblings = numbers_in_list(first_line(path));
  return siblings.empty() ? core : *std::min_element(siblings.begin(), siblings.end());
}

struct Gpu {
  std::string uuid;  // "GPU-…"
  int memory_node;
};

// A batch system that gives a process a part of a node's GPUs keeps it from opening the others.
bool can_be_opened(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) ::close(file);
  return file >= 0;
}

std::vector<Gpu> own_gpus(const std::string& root) {
  std::vector<Gpu> gpus;
  const auto folder = root + "/proc/driver/nvidia/gpus/";
  for (const auto& address : names_in(folder)) {
    const auto about = folder + address + "/information";
    if (!can_be_opened(root + "/dev/nvidia" + value_in(about.c_str(), "Device Minor"))) continue;
    const auto node = parse_number<int>(first_line(root + "/sys/bus/pci/devices/" + address + "/numa_node"));
    gpus.push_back({value_in(about.c_str(), "GPU UUID"), node.value_or(-1)});
  }
  return gpus;
}

// As CUDA reads it: what stands behind a name that is no GPU's is not seen.
std::vector<int> visible(const std::vector<Gpu>& gpus) {
  std::vector<int> nodes;
  const char* named = std::getenv("CUDA_VISIBLE_DEVICES");  // set and empty: none
  if (named == nullptr) {
    for (const auto& gpu : gpus) nodes.push_back(gpu.memory_node);
    return nodes;
  }
  for (const auto& name : split(named, ',')) {
    const auto index = parse_number<std::size_t>(name);
    const auto found = index ? gpus.begin() + static_cast<std::ptrdiff_t>(std::min(*index, gpus.size()))
                             : std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.uuid.starts_with(name); });
    if (name.empty() || found == gpus.end()) break;
    nodes.push_back(found->memory_node);
  }
  return nodes;
}

}  // namespace

NodeLayout node_layout(const std::vector<int>& cores, const std::string& root) {
  return {core_layout(cores, root), visible(own_gpus(root))};
}

std::vector<Core> core_layout(const std::vector<int>& cores, const std::string& root) {
  const auto nodes = memory_node_by_core(root);
  std::vector<Core> layout;
  for (const int core : cores) {
    const auto node = nodes.find(core);
    layout.push_back({node == nodes.end() ? 0 : node->second, physical_core(core, root), core});
  }
  return layout;
}

std::vector<int> numbers_in_list(const std::string& text) {
  std::vector<int> numbers;
  for (const auto& part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number<int>(std::string_view(part).substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_number<int>(std::string_view(part).substr(dash + 1));
    if (!first || !last) continue;
    for (int number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::string list_of_numbers(const std::vector<int>& numbers, char separator) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += separator;
    text += std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::vector<int> memory_nodes_of(const std::vector<Core>& cores) {
  std::set<int> nodes;
  for (const auto& core : cores) nodes.insert(core.memory_node);
  return {nodes.begin(), nodes.end()};
}

}  // namespace ddpbench
