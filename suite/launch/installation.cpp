#include "suite/launch/installation.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

std::string python_of_layout(const fs::path& layout) {
  std::string text;
  try {
    text = read_file(layout.string());
  } catch (const Error&) {  // it names no Python then, which is told
  }
  const auto json = nlohmann::json::parse(text, nullptr, false);
  const auto python = json.is_object() ? json.find("python") : json.end();
  return python != json.end() && python->is_string() ? python->get<std::string>() : std::string();
}

// A name without a folder would be looked for in the working directory, where anything may lie.
fs::path chosen_python(const std::string& chosen) {
  if (chosen.find('/') != std::string::npos) return chosen;
  throw CannotRun("DDPBENCH_PYTHON must be a path, for example /usr/bin/python3, not '" + chosen + "'");
}

std::string why_no_python(const fs::path& layout, const fs::path& python, const std::error_code& unknown) {
  if (python.empty()) return layout.string() + " names no Python";
  return python.string() + (unknown ? " cannot be read: " + unknown.message() : " is gone");
}

}  // namespace

fs::path Installation::python() const {
  if (const auto chosen = environment_variable("DDPBENCH_PYTHON"); !chosen.empty()) return chosen_python(chosen);
  const auto layout = share / "layout.json";
  const fs::path python = python_of_layout(layout);
  std::error_code unknown;
  if (!python.empty() && fs::exists(python, unknown)) return python;
  throw CannotRun("no Python for plots and report (" + why_no_python(layout, python, unknown) +
                  "): run ./bootstrap.sh build, or set DDPBENCH_PYTHON to one that has matplotlib and jinja2");
}

Installation find_installation() {
  std::error_code failed;
  const auto program = fs::read_symlink("/proc/self/exe", failed);
  if (failed)
    throw CannotRun("there is no /proc (" + failed.message() + "), in which ddpbench finds its own program and its ranks");
  return installation_at(program.parent_path());
}

Installation installation_at(const fs::path& executable_dir) {
  const auto chosen = environment_variable("DDPBENCH_WORKER");
  return {chosen.empty() ? executable_dir / "ddpbench-worker" : fs::absolute(chosen),
          (executable_dir / ".." / "share" / "ddpbench").lexically_normal(), executable_dir / "ddpbench"};
}

}  // namespace ddpbench
