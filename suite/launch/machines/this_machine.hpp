#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Holds an address at which other machines may reach this one.
struct OwnAddress {
  std::string interface;  // "eth0"
  std::string address;    // "10.0.0.1", "fd00::1"
  bool is_v6() const { return address.find(':') != std::string::npos; }
};

// Returns those of every interface that is up, without loopback and addresses that hold on one link only.
std::vector<OwnAddress> own_addresses();

// Stands for any interface or family in an AddressChoice.
inline constexpr const char* kAny = "any";

// Says which of the addresses of a machine ranks are to use.
struct AddressChoice {
  std::string interface;  // "any"
  std::string family;     // "ipv4", "ipv6"; "any"
  bool is_made() const { return interface != kAny || family != kAny; }
};

// Returns the first of `addresses` that was chosen. Throws CannotRun that names what there is on `host`.
std::string chosen_address(const std::vector<OwnAddress>& addresses, const AddressChoice& choice, std::string_view host);

}  // namespace ddpbench
