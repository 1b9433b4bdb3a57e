#pragma once
#include <nlohmann/json_fwd.hpp>

namespace ddpbench {

// Says what an arm is there for.
enum class ArmRole {
  kReference,        // what the others of its family are compared with
  kAaControl,        // the reference's own code a second time: shows the noise floor
  kPositiveControl,  // the reference and a known delay: shows that an effect is found
  kProbe,            // takes the measurement or the network apart, and drives no other loop
  kSubject,          // what the question is about
};

// Returns "reference", "aa_control", "positive_control", "probe" or "subject".
const char* text_of(ArmRole role);

// Says what "equal" means where an arm's steps are compared with its reference's (harness/measure/checks/equal_work.hpp), the
// strictest first.
enum class Equality {
  kBits,      // losses and state, bit for bit
  kRounding,  // it adds in another order: losses to rounding
  kLossy,     // it sends less than float32: losses of the first steps, roughly
  kDrifts,    // its replicas meet only now and then: the loss of the first step, before anything is exchanged
};

// Returns "bits", "rounding", "lossy" or "drifts".
const char* text_of(Equality equality);

// Write them as those words, and read them. Reading throws UsageError for another word, naming the known ones.
void to_json(nlohmann::ordered_json& json, ArmRole role);
void from_json(const nlohmann::ordered_json& json, ArmRole& role);
void to_json(nlohmann::ordered_json& json, Equality equality);
void from_json(const nlohmann::ordered_json& json, Equality& equality);

}  // namespace ddpbench
