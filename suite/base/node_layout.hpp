#pragma once
#include <compare>
#include <string>
#include <vector>

namespace ddpbench {

// Says how the system numbers a core, and where it lies. In this order neighbours share most: memory, then the physical core.
struct Core {
  int memory_node = 0;
  int physical = 0;  // the smallest number among the hardware threads of one physical core
  int number = 0;
  auto operator<=>(const Core&) const = default;
};

// Says where the cores and GPUs that this process may use lie in this machine.
struct NodeLayout {
  std::vector<Core> cores;  // by number
  std::vector<int>
      gpu_memory{};  // of each visible NVIDIA GPU, in the order of their PCI addresses, its memory node; -1: not known
};

// Reads the layout from the system's files (/sys, /proc/driver/nvidia; GPUs also by CUDA_VISIBLE_DEVICES and by which devices can
// be opened). `cores` are allowed_cores(). What they do not tell is 0, or -1 for a GPU. `root` stands before every path, for
// tests.
NodeLayout node_layout(const std::vector<int>& cores, const std::string& root = "");

// Reads the cores alone; opens no device.
std::vector<Core> core_layout(const std::vector<int>& cores, const std::string& root = "");

// Parses a list as /sys writes it, "0-3,8". Passes over what is no number.
std::vector<int> numbers_in_list(const std::string& text);

// Writes ascending `numbers` as such a list.
std::string list_of_numbers(const std::vector<int>& numbers, char separator = ',');

// Returns the memory nodes of cores, each once, ascending.
std::vector<int> memory_nodes_of(const std::vector<Core>& cores);

}  // namespace ddpbench
