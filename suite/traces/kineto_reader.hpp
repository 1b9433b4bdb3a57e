#pragma once
#include <string>

#include "suite/traces/trace.hpp"

namespace ddpbench {

// Reads a trace of torch.profiler (Kineto): Chrome's trace format, JSON, plain or gzip. Keeps of each event what a Trace holds,
// never the whole text. Throws UsageError that names the file where it is cut short, no JSON, no such trace or empty.
Trace read_kineto(const std::string& path);

// Returns how many bytes an element of a type has, by PyTorch's name of it: "float", "BFloat16", "c10::Half"; 0: not known.
std::int64_t element_bytes(std::string_view type);

}  // namespace ddpbench
