#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/sites/site.hpp"

namespace ddpbench {

// Reads and checks a site's file. Throws one UsageError with every mistake, each with the file, the key and what is legal.
Site read_site(const std::string& toml_text, const std::string& origin);

// Reads the site of that name in `folder`, or a file at that path. Throws UsageError that lists the known names.
Site find_site(const std::string& name_or_path, const std::filesystem::path& folder);

// Returns the names of the files in `folder`, sorted.
std::vector<std::string> site_names(const std::filesystem::path& folder);

// Returns the schema, a line for each key: "node.gpus   whole number   GPUs of a node".
std::string site_schema_text();

}  // namespace ddpbench
