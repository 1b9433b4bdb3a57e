#pragma once
#include <filesystem>
#include <string>

namespace ddpbench {

// Says where the parts of this installation lie: beside the running program, whatever the working directory and the environment
// are.
struct Installation {
  std::filesystem::path worker;     // $DDPBENCH_WORKER, or ddpbench-worker beside ddpbench
  std::filesystem::path share;      // vocabulary.json, schema.json, experiments/, reports/, sites/, templates/, layout.json
  std::filesystem::path program{};  // ddpbench itself
  std::filesystem::path vocabulary() const { return share / "vocabulary.json"; }
  std::filesystem::path experiments() const { return share / "experiments"; }
  std::filesystem::path sites() const { return share / "sites"; }
  std::filesystem::path templates() const { return share / "templates"; }

  // Returns $DDPBENCH_PYTHON, which must be a path, or the interpreter that layout.json names. Throws CannotRun where neither is
  // there, or cannot be looked at.
  std::filesystem::path python() const;
};

// Finds the installation of the running program. Throws CannotRun where there is no /proc.
Installation find_installation();

// Finds the same for a program that lies in `executable_dir`.
Installation installation_at(const std::filesystem::path& executable_dir);

}  // namespace ddpbench
