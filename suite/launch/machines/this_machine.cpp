#include "suite/launch/machines/this_machine.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <optional>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

std::optional<OwnAddress> address_of(const ifaddrs& interface) {
  const bool is_up = (interface.ifa_flags & IFF_UP) != 0 && (interface.ifa_flags & IFF_LOOPBACK) == 0;
  if (!is_up || interface.ifa_addr == nullptr) return std::nullopt;
  const auto family = interface.ifa_addr->sa_family;
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  const auto size = static_cast<socklen_t>(family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
  std::array<char, NI_MAXHOST> host{};
  if (::getnameinfo(interface.ifa_addr, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) return std::nullopt;
  const std::string text = host.data();
  return text.starts_with("fe80:") ? std::nullopt : std::optional(OwnAddress{interface.ifa_name, text});
}

}  // namespace

std::vector<OwnAddress> own_addresses() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(all, &::freeifaddrs);
  std::vector<OwnAddress> addresses;
  for (const auto* interface = all; interface != nullptr; interface = interface->ifa_next) {
    if (auto address = address_of(*interface)) addresses.push_back(*std::move(address));
  }
  return addresses;
}

std::string chosen_address(const std::vector<OwnAddress>& addresses, const AddressChoice& choice, std::string_view host) {
  std::string there;
  for (const auto& own : addresses) {
    const bool is_of_family = choice.family == kAny || own.is_v6() == (choice.family == "ipv6");
    if (is_of_family && (choice.interface == kAny || own.interface == choice.interface)) return own.address;
    there += (there.empty() ? "" : ", ") + own.interface + " " + own.address;
  }
  const auto wanted = (choice.family == kAny ? "" : " of " + choice.family) +
                      (choice.interface == kAny ? "" : " on interface '" + choice.interface + "'");
  throw CannotRun(std::string(host) + " has no address" + wanted + " (there: " + (there.empty() ? "none" : there) + ")");
}

}  // namespace ddpbench
