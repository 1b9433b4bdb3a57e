#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Holds what ranks and their store say to each other: a list of words, which may hold any bytes.
using Words = std::vector<std::string>;

// Bounds a message: far more than a rank ever says (an address, a report of a super-block), far less than a machine has.
inline constexpr std::uint32_t kLongestMessageBytes = 1U << 24;

// Returns the message as bytes of a stream: the length of the rest, then each word behind its own length. Throws Error where the
// words take more than kLongestMessageBytes.
std::string framed(const Words& words);

// Cuts a stream into messages.
class MessageReader {
 public:
  // Refuses with Error a message that is longer than `longest_bytes`, or whose lengths contradict each other: nobody of ours sent
  // it.
  explicit MessageReader(std::uint32_t longest_bytes) : longest_bytes_(longest_bytes) {}
  void allow(std::uint32_t longest_bytes) { longest_bytes_ = longest_bytes; }

  void take(std::string_view bytes) { bytes_ += bytes; }

  // Returns the next message, once it is whole. Throws Error as said above.
  std::optional<Words> next();

 private:
  std::uint32_t longest_bytes_;
  std::string bytes_;
};

}  // namespace ddpbench
