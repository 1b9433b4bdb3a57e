#include "suite/launch/machines/host_list.hpp"

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kMostBytes = 1 << 22;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// "node1 slots=2" and "node1:2" name node1; "" of a line that names nothing.
std::string name_in(std::string_view entry) {
  constexpr const char* kBlank = " \t\r\f\v";
  const auto begin = entry.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return "";
  entry = entry.substr(begin);
  entry = entry.substr(0, entry.find_first_of(kBlank));
  const auto colon = entry.find(':');
  const bool has_count = colon != std::string_view::npos && colon + 1 < entry.size() &&
                         entry.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return std::string(has_count ? entry.substr(0, colon) : entry);
}

}  // namespace

bool is_host_name(const std::string& name) {
  constexpr const char* kLegal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.front() != '-' && name.find_first_not_of(kLegal) == std::string::npos;
}

std::vector<std::string> hosts_in(std::string_view text, const std::string& what) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> names;
  for (const auto& line : split(std::string(text), '\n')) {
    for (const auto& entry : split(line.substr(0, line.find('#')), ',')) {
      auto name = name_in(entry);
      if (name.empty()) continue;
      if (!is_host_name(name))
        throw UsageError(what + ": '" + shown(name) +
                         "' is no name of a node; must be NODE,NODE or a file with a node on each line; what ssh needs to know "
                         "of a node (user, port, address) belongs into ~/.ssh/config");
      names.push_back(std::move(name));
    }
  }
  if (names.empty()) throw UsageError(what + " names no node");
  return names;
}

std::vector<std::string> hosts_in_file(const std::string& path, const std::string& what) {
  std::string text;
  try {
    text = read_file(path, kMostBytes);
  } catch (const Error& error) {
    throw UsageError(what + ": " + shown(error.what(), 300));
  }
  return hosts_in(text, what);
}

}  // namespace ddpbench
