#pragma once
#include <string>
#include <vector>

#include "suite/traces/trace.hpp"

namespace ddpbench {

// Returns whether a file is a report of Nsight Systems that must be exported before it can be read (`.nsys-rep`).
bool is_nsys_report(const std::string& path);

// Reads a trace file of any known format, told by its first bytes: one Trace for each process in it. Throws UsageError as the
// format's reader does, and for a file of another kind, with the kinds that are known.
std::vector<Trace> read_traces(const std::string& path);

// Returns the trace files of a results folder, in order: what stands beneath profiles/ and can be read. A report that has been
// exported counts once, as its export. Throws UsageError where there is none.
std::vector<std::string> trace_files_of_folder(const std::string& folder);

}  // namespace ddpbench
