#pragma once
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ddpbench::test {

// A folder of its own that holds small shell programs, standing in for workers; gone with the object.
class ScriptFolder {
 public:
  ScriptFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ddpbench-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~ScriptFolder() { std::filesystem::remove_all(path_); }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes an executable script and returns its path.
  std::string script(const std::string& name, const std::string& body) const {
    const auto file = path_ / name;
    std::ofstream(file) << "#!/bin/sh\n" << body;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }

  // Writes a file, with the folders above it, and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path_ / name).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace ddpbench::test
