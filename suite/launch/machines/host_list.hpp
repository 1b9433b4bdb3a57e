#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Returns the names of nodes, as often as they stand there: of a list with commas between them, or of lines as host files of
// other tools have them (Open MPI's "node1 slots=2", Hydra's "node1:2", PBS's one line for each place). What follows a name,
// blanks, "#" and the rest of its line, and a byte order mark are no part of it. Throws UsageError, "WHAT: …", for what cannot be
// a name.
std::vector<std::string> hosts_in(std::string_view text, const std::string& what);

// Returns those of a file. Throws UsageError, "WHAT: …", where it is no regular file, cannot be read or is larger than a list of
// nodes can be.
std::vector<std::string> hosts_in_file(const std::string& path, const std::string& what);

// Returns whether a name has only letters, digits, "-", "_" and ".": a shell reads such a name, too.
bool is_host_name(const std::string& name);

}  // namespace ddpbench
