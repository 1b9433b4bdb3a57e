#include "suite/launch/python_module.hpp"

namespace ddpbench {

ChildRequest python_module(const Installation& installation, const std::string& module,
                           const std::vector<std::string>& arguments) {
  ChildRequest child;
  child.tokens = {installation.python().string(), "-m", module};
  child.tokens.insert(child.tokens.end(), arguments.begin(), arguments.end());
  child.environment = {{"PYTHONPATH", installation.share.string()}, {"PYTHONDONTWRITEBYTECODE", "1"}};
  return child;
}

}  // namespace ddpbench
