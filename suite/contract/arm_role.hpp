#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// What an arm is there for.
enum class ArmRole {
  kReference,        // what the others of its family are compared with
  kAaControl,        // the reference's own code a second time: shows the noise floor
  kPositiveControl,  // the reference and a known delay: shows that an effect is found
  kProbe,            // takes the measurement or the network apart, and drives no other loop
  kSubject,          // what the question is about
};

// "reference", "aa_control", "positive_control", "probe", "subject"
const char* text_of(ArmRole role);

// The inverse. Throws Error for another text, naming the known ones.
ArmRole arm_role_of(std::string_view text);

}  // namespace ddpbench
