#include "suite/base/failure_text.hpp"

#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/library_errors.hpp"

namespace ddpbench {
namespace {

// Without a path it is the working folder that could not be asked for.
std::string file_failure(const std::filesystem::filesystem_error& error) {
  const auto path = error.path1().string();
  return (path.empty() ? "the working folder" : path) + " cannot be used: " + error.code().message();
}

// "[json.exception.out_of_range.403] key 'a' not found" -> "key 'a' not found". By its text: suite/base does not use the JSON library.
std::string_view without_tag(std::string_view text) {
  constexpr std::string_view kTag = "[json.exception.";
  const auto end = text.find("] ");
  return text.starts_with(kTag) && end != std::string_view::npos ? text.substr(end + 2) : text;
}

// Of a text that is known the first sentence is enough: what it advises is PyTorch's.
std::string with_meaning(const std::string& text) {
  const auto meaning = explain_library_error(text);
  if (meaning.empty() || text.find(meaning) != std::string::npos) return text;
  return meaning + ": " + text.substr(0, text.find(". "));
}

}  // namespace

std::string failure_text(const std::exception& error) {
  if (dynamic_cast<const Error*>(&error) != nullptr) return with_meaning(error.what());  // it may hold what a library said
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return file_failure(*file);
  const bool too_large =
      dynamic_cast<const std::bad_alloc*>(&error) != nullptr || dynamic_cast<const std::length_error*>(&error) != nullptr;
  if (too_large) return "out of memory";
  return with_meaning(std::string(without_tag(error.what())));
}

}  // namespace ddpbench
