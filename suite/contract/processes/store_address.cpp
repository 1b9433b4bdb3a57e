#include "suite/contract/processes/store_address.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kRandomBytes = 16;
constexpr std::size_t kLongestName = 100;  // of a socket: 107 bytes (unix(7))
constexpr char kBetween = ':';
constexpr const char* kTcp = "tcp:";
constexpr const char* kNameBegin = "ddpbench-";

std::string random_text() {
  std::array<unsigned char, kRandomBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error("the system gives no random numbers for a launch's secret");
  }
  return hexadecimal(bytes);
}

}  // namespace

StoreAddress new_store_address() { return {kNameBegin + random_text(), random_text()}; }

StoreAddress store_address_by_hand(std::uint16_t port) {
  return {kNameBegin + std::to_string(::geteuid()) + "-" + std::to_string(port), ""};
}

// "ddpbench-0a1b…:SECRET", "tcp:node1:2000:SECRET"
std::string to_text(const StoreAddress& address) { return place_of(address) + kBetween + address.secret; }

std::string place_of(const StoreAddress& address) { return address.endpoint ? kTcp + to_text(*address.endpoint) : address.name; }

std::optional<StoreAddress> store_address_from(std::string_view text) {
  const auto between = text.rfind(kBetween);
  if (between == std::string_view::npos || between == 0) return std::nullopt;
  const auto place = text.substr(0, between);
  StoreAddress address{"", std::string(text.substr(between + 1))};
  if (place.starts_with(kTcp)) {
    address.endpoint = endpoint_from(place.substr(std::string_view(kTcp).size()));
  } else if (place.size() <= kLongestName && place.find(kBetween) == std::string_view::npos) {
    address.name = place;
  }
  const bool is_whole = !address.secret.empty() && (address.endpoint || !address.name.empty());
  return is_whole ? std::optional(std::move(address)) : std::nullopt;
}

}  // namespace ddpbench
