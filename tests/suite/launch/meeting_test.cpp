// How ranks of several nodes meet: what a person may say of it, and which address that is.
#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/machines/this_machine.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;

const std::vector<OwnAddress> kThere{{"eth0", "10.0.0.1"}, {"ib0", "10.1.0.1"}, {"ib0", "fd00::1"}};

std::string why_none(const AddressChoice& choice) {
  try {
    return "took " + chosen_address(kThere, choice, "node1");
  } catch (const CannotRun& error) {
    return error.what();
  }
}

TEST(ChosenAddress, IsTheFirstOfItsInterfaceAndFamily) {
  EXPECT_EQ(chosen_address(kThere, {"any", "any"}, "node1"), "10.0.0.1");
  EXPECT_EQ(chosen_address(kThere, {"ib0", "any"}, "node1"), "10.1.0.1");
  EXPECT_EQ(chosen_address(kThere, {"any", "ipv6"}, "node1"), "fd00::1");
  EXPECT_EQ(chosen_address(kThere, {"ib0", "ipv6"}, "node1"), "fd00::1");
}

TEST(ChosenAddress, SaysWhatThereIsWhereThereIsNone) {
  EXPECT_EQ(why_none({"eth0", "ipv6"}),
            "node1 has no address of ipv6 on interface 'eth0' (there: eth0 10.0.0.1, ib0 10.1.0.1, ib0 fd00::1)");
  EXPECT_THAT(why_none({"ib7", "any"}), HasSubstr("node1 has no address on interface 'ib7'"));
}

TEST(PortRange, IsARangeOrOnePortOrAny) {
  for (const auto* any : {"", "any"}) EXPECT_EQ(port_range(any).last, 0);
  EXPECT_EQ(port_range("20000-20100").first, 20000);
  EXPECT_EQ(port_range("20000-20100").last, 20100);
  EXPECT_EQ(port_range("4711").first, 4711);
  EXPECT_EQ(port_range("4711").last, 4711);
  for (const auto* text : {"-", "0", "0-5", "5-4", "1-65536", "a-b", "1-2-3", " 1"})
    EXPECT_THROW(port_range(text), UsageError) << text;
}

TEST(MeetBy, HoldsTheLaunchersOptions) {
  LaunchSpec spec;
  EXPECT_EQ(meet_by(spec), "");
  spec.options[OptionGroup::kLauncher] = {{"address_family", "ipv6"}, {"interface", "ib0"}, {"ports", "any"}};
  EXPECT_EQ(meet_by(spec), "address_family=ipv6;interface=ib0;ports=any");
  spec.options[OptionGroup::kLauncher]["ports"] = "none";
  EXPECT_THROW(meet_by(spec), UsageError);
}

}  // namespace
}  // namespace ddpbench
