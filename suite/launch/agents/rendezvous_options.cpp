#include "suite/launch/agents/rendezvous_options.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/launch/machines/this_machine.hpp"

namespace ddpbench {

std::vector<OptionEntry> rendezvous_options() {
  constexpr auto kText = OptionType::kText;
  return {
      {kInterfaceOption,
       kText,
       kAny,
       {},
       0,
       0,
       "network interface of every node at which ranks meet and gloo connects, for example ib0"},
      {kFamilyOption, kText, kAny, {kAny, "ipv4", "ipv6"}, 0, 0, "of the addresses at which ranks meet"},
      {kPortsOption, kText, kAny, {}, 0, 0, "FIRST-LAST: ports of which rank 0 takes one"},
  };
}

std::string meet_by(const LaunchSpec& spec) {
  std::string text;
  for (const auto& [name, value] : spec.options[OptionGroup::kLauncher]) {
    text += (text.empty() ? "" : ";") + name + "=" + value;
    if (name == kPortsOption) port_range(value);
  }
  return text;
}

PortRange port_range(const std::string& text) {
  if (text.empty() || text == kAny) return {};
  const auto dash = text.find('-');
  const auto first = parse_number<std::uint16_t>(text.substr(0, dash));
  const auto last = dash == std::string::npos ? first : parse_number<std::uint16_t>(text.substr(dash + 1));
  if (first && last && *first > 0 && *first <= *last) return {*first, *last};
  throw UsageError("ports = '" + text + "': must be a range such as 20000-20100, one port from 1 to 65535, or any");
}

}  // namespace ddpbench
