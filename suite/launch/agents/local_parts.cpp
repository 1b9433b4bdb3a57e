#include "suite/launch/agents/local_parts.hpp"

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/processes/store_address.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarkName = "driver";
constexpr std::size_t kPieceBytes = 1U << 20;

std::string mark_path(const std::string& part_dir) { return part_dir + "/" + kMarkName; }

bool sees_driver_folder(const AgentStart& start) {
  try {
    return read_file(mark_path(start.part_dir)) == start.mark;
  } catch (const Error&) {
    return false;
  }
}

// A token that is the part folder, or names a file in it (--output=FOLDER/trace.0), names the other folder.
std::string with_folder(const std::string& token, const std::string& from, const std::string& to) {
  const auto place = token.find(from);
  const auto end = place + from.size();
  const bool is_whole = place != std::string::npos && (end == token.size() || token[end] == '/');
  return is_whole ? token.substr(0, place) + to + token.substr(end) : token;
}

fs::path new_folder() {
  std::error_code absent;  // $TMPDIR may be another node's
  const auto folder = fs::temp_directory_path(absent);
  auto pattern = ((absent ? fs::path("/tmp") : folder) / "ddpbench-parts-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw file_error("cannot make", pattern, errno);
  return pattern;
}

}  // namespace

std::string mark_part_folder(const std::string& part_dir) {
  std::error_code absent;
  if (!fs::is_directory(part_dir, absent)) return "";
  auto mark = new_store_address().secret;
  replace_file(mark_path(part_dir), mark);
  return mark;
}

std::unique_ptr<const LocalParts> LocalParts::where_needed(AgentStart& start) {
  std::error_code absent;
  const bool has_folder = fs::is_directory(start.folder, absent);
  if (!has_folder) start.folder = "/";
  if (start.mark.empty() || sees_driver_folder(start)) return nullptr;
  std::unique_ptr<const LocalParts> own(new LocalParts(new_folder()));
  for (auto& token : start.tokens) token = with_folder(token, start.part_dir, own->folder_.string());
  if (!has_folder) start.folder = own->folder_.string();
  return own;
}

LocalParts::~LocalParts() {
  std::error_code absent;
  fs::remove_all(folder_, absent);
}

void LocalParts::hand_over(std::int64_t rank, Channel& channel) const {
  for (const auto& name : part_names(folder_.string(), rank)) {
    const auto text = read_file((folder_ / name).string());
    for (std::size_t begin = 0; begin < text.size(); begin += kPieceBytes) {
      channel.send({agent_verb::kPart, name, text.substr(begin, kPieceBytes)});
      channel.send_all();
    }
  }
}

void take_part(const std::string& part_dir, std::int64_t rank, const Words& message) {
  if (message.size() != 2 || !is_part_name(message[0], rank)) throw Error("a piece of no part file");
  const auto file = part_dir + "/" + message[0];
  write_all(open_file(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW), message[1], file);
}

}  // namespace ddpbench
