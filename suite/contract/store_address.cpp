#include "suite/contract/store_address.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kRandomBytes = 16;
constexpr std::size_t kLongestName = 100;  // of a socket: 107 bytes (unix(7))
constexpr char kBetween = ':';
constexpr const char* kNameBegin = "ddpbench-";

std::string random_text() {
  std::array<unsigned char, kRandomBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error("the system gives no random numbers for a launch's secret");
  }
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) text += {kDigits[byte / 16], kDigits[byte % 16]};
  return text;
}

}  // namespace

StoreAddress new_store_address() { return {kNameBegin + random_text(), random_text()}; }

StoreAddress store_address_by_hand(std::uint16_t port) {
  return {kNameBegin + std::to_string(::geteuid()) + "-" + std::to_string(port), ""};
}

std::string to_text(const StoreAddress& address) { return address.name + kBetween + address.secret; }

std::optional<StoreAddress> store_address_from(std::string_view text) {
  const auto between = text.find(kBetween);
  if (between == std::string_view::npos || between == 0 || between > kLongestName) return std::nullopt;
  StoreAddress address{std::string(text.substr(0, between)), std::string(text.substr(between + 1))};
  return address.secret.empty() ? std::nullopt : std::optional(std::move(address));
}

}  // namespace ddpbench
