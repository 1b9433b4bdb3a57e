#include "suite/plan/module_path.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

bool may_begin_identifier(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Of Python, in ASCII.
bool is_identifier(std::string_view text) {
  const auto is_legal = [](char c) { return may_begin_identifier(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && may_begin_identifier(text.front()) && std::all_of(text.begin(), text.end(), is_legal);
}

}  // namespace

std::string why_no_module_name(const std::string& name) {
  return is_identifier(name) ? "" : "a module's name must be letters, digits and '_', not beginning with a digit";
}

std::string located_module(const std::string& text, const std::string& origin) {
  const auto colon = text.rfind(':');
  const auto file = text.substr(0, colon);
  if (colon == std::string::npos || !file.ends_with(".py") || !is_identifier(text.substr(colon + 1))) {
    throw UsageError("must be \"FILE.py:Class\", a file of Python and a LightningModule in it, or a function that makes one");
  }
  const auto folder = std::filesystem::path(origin).parent_path();
  const auto path = std::filesystem::absolute(folder / file).lexically_normal();
  if (!std::ifstream(path) || std::filesystem::is_directory(path)) {
    throw UsageError("cannot read " + path.string() +
                     ": must be a file of Python (its place is relative to the experiment's file)");
  }
  return path.string() + text.substr(colon);
}

}  // namespace ddpbench
