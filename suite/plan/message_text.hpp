#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The words of error messages: what a user typed is shown safely, and what is legal is listed.
namespace ddpbench {

// Makes text from outside fit for one line of a terminal: control characters and broken UTF-8 become '?', long text is cut.
std::string shown(std::string_view text, std::size_t limit_bytes = 100);

// Returns "a, b, c", or "none".
std::string listed(const std::vector<std::string>& words);

// Returns the names of the entries, in their order.
template <class Entries>
std::vector<std::string> names_of(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

// Returns "unknown backend 'glooo' (known: gloo, nccl; did you mean 'gloo'?)".
std::string unknown_message(const std::string& kind, const std::string& word, const std::vector<std::string>& known);

// Fills a text with spaces to `width` bytes; longer text stays as it is.
std::string padded(std::string text, std::size_t width);

// Writes a number for people: 1000000 and not 1e+06.
std::string readable_number(double value);

}  // namespace ddpbench
