#include "suite/launch/probe/python_module.hpp"

namespace ddpbench {

// -E: no PYTHON… variable counts; an empty or relative entry of PYTHONPATH would be the working directory. The virtual environment and what the
// user installed with `pip install --user` stay. -B: no bytecode in the installation. -X utf8: as all files here.
ChildRequest python_module(const Installation& installation, const std::string& module,
                           const std::vector<std::string>& arguments) {
  ChildRequest child;
  const auto isolated = installation.share / "reports" / "isolated.py";
  child.tokens = {installation.python().string(), "-E", "-B", "-X", "utf8", isolated.string(), module};
  child.tokens.insert(child.tokens.end(), arguments.begin(), arguments.end());
  return child;
}

}  // namespace ddpbench
