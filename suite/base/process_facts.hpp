#pragma once
#include <map>
#include <string>

namespace ddpbench {

// Returns what may move a measurement and a process can see: of the host (host, kernel, libc, cpu_model, cpu_mhz, governor,
// cores, transparent_hugepage, load) and of itself (allowed_cores, memory_nodes; nice, where it is not 0). Leaves out what the
// system does not tell. Names are those of `launches` in environment.json; launches that are compared must agree in them.
std::map<std::string, std::string> process_facts();

// Returns the value of the first line "name : value" of a file of /proc; "" where there is none.
std::string value_in(const char* path, const std::string& name);

}  // namespace ddpbench
