#include "suite/contract/vocabulary/arm_role.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "suite/contract/vocabulary/registry.hpp"

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

struct NamedEquality {
  Equality equality;
  const char* name;
};
constexpr std::array<NamedEquality, 4> kEqualities{
    {{Equality::kBits, "bits"}, {Equality::kRounding, "rounding"}, {Equality::kLossy, "lossy"}, {Equality::kDrifts, "drifts"}}};

}  // namespace

const char* text_of(ArmRole role) {
  return std::find_if(kRoles.begin(), kRoles.end(), [&](const auto& named) { return named.role == role; })->name;
}

const char* text_of(Equality equality) { return kEqualities[static_cast<std::size_t>(equality)].name; }

void to_json(nlohmann::ordered_json& json, ArmRole role) { json = text_of(role); }

void from_json(const nlohmann::ordered_json& json, ArmRole& role) {
  role = find_entry(kRoles, "role of an arm", json.get<std::string>()).role;
}

void to_json(nlohmann::ordered_json& json, Equality equality) { json = text_of(equality); }

void from_json(const nlohmann::ordered_json& json, Equality& equality) {
  equality = find_entry(kEqualities, "equality", json.get<std::string>()).equality;
}

}  // namespace ddpbench
