#include "suite/contract/processes/stream_message.hpp"

#include <cstring>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using Length = std::uint32_t;

// Between machines of one cluster: the order of bytes that all of them have.
void append_length(std::string& bytes, std::size_t length) {
  const auto number = static_cast<Length>(length);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

std::optional<Length> length_at(std::string_view bytes) {
  if (bytes.size() < sizeof(Length)) return std::nullopt;
  Length length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  return length;
}

Words words_in(std::string_view body) {
  Words words;
  while (!body.empty()) {
    const auto length = length_at(body);
    if (!length || *length > body.size() - sizeof(Length)) throw Error("a message of the rendezvous with wrong lengths");
    words.emplace_back(body.substr(sizeof(Length), *length));
    body.remove_prefix(sizeof(Length) + *length);
  }
  return words;
}

}  // namespace

std::string framed(const Words& words) {
  std::string body;
  for (const auto& word : words) {
    append_length(body, word.size());
    body += word;
  }
  if (body.size() > kLongestMessageBytes) throw Error("a value of " + std::to_string(body.size()) + " bytes for the rendezvous");
  std::string bytes;
  append_length(bytes, body.size());
  return bytes + body;
}

std::optional<Words> MessageReader::next() {
  const auto length = length_at(bytes_);
  if (!length) return std::nullopt;
  if (*length > longest_bytes_) throw Error("a message of " + std::to_string(*length) + " bytes for the rendezvous");
  if (bytes_.size() - sizeof(Length) < *length) return std::nullopt;
  auto words = words_in(std::string_view(bytes_).substr(sizeof(Length), *length));
  bytes_.erase(0, sizeof(Length) + *length);
  return words;
}

}  // namespace ddpbench
