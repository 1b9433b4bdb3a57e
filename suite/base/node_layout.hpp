#pragma once
#include <compare>
#include <string>
#include <vector>

namespace ddpbench {

// A core as the system numbers it, and where it lies. In this order neighbours share most: memory, then the physical core.
struct Core {
  int memory_node = 0;
  int physical = 0;  // the smallest number among the hardware threads of one physical core
  int number = 0;
  auto operator<=>(const Core&) const = default;
};

// What lies where in this machine, of what this process may use.
struct NodeLayout {
  std::vector<Core> cores;  // by number
  std::vector<int>
      gpu_memory{};  // of each visible NVIDIA GPU, in the order of their PCI addresses, its memory node; -1: not known
};

// As the system's own files tell (/sys, /proc/driver/nvidia; GPUs also by CUDA_VISIBLE_DEVICES and by which devices can be opened). `cores`:
// allowed_cores(). What they do not tell is 0, or -1 for a GPU. `root`: stands before every path, for tests.
NodeLayout node_layout(const std::vector<int>& cores, const std::string& root = "");

// The cores alone: opens no device.
std::vector<Core> core_layout(const std::vector<int>& cores, const std::string& root = "");

// "0-3,8": the numbers, as /sys writes them. What is no number is passed over.
std::vector<int> numbers_in_list(const std::string& text);

// The other way. `numbers`: ascending.
std::string list_of_numbers(const std::vector<int>& numbers, char separator = ',');

// The memory nodes of cores, each once, ascending.
std::vector<int> memory_nodes_of(const std::vector<Core>& cores);

}  // namespace ddpbench
