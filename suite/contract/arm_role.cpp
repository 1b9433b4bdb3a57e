#include "suite/contract/arm_role.hpp"

#include <algorithm>
#include <array>

#include "suite/contract/registry.hpp"

namespace ddpbench {
namespace {

struct NamedRole {
  ArmRole role;
  const char* name;
};
constexpr std::array<NamedRole, 5> kRoles{{{ArmRole::kReference, "reference"},
                                           {ArmRole::kAaControl, "aa_control"},
                                           {ArmRole::kPositiveControl, "positive_control"},
                                           {ArmRole::kProbe, "probe"},
                                           {ArmRole::kSubject, "subject"}}};

}  // namespace

const char* text_of(ArmRole role) {
  return std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& named) { return named.role == role; })->name;
}

ArmRole arm_role_of(std::string_view text) { return find_entry(kRoles, "role of an arm", text).role; }

}  // namespace ddpbench
