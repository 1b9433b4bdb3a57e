#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Says how a launch is measured: [protocol] of an experiment, with every key at its default. Part of LaunchSpec, of Experiment
// and of the analysis' Settings. The members are the lines of protocol.inc.
struct Protocol {
#define DDPBENCH_PROTOCOL_KEY(type, key, default_value, ...) type key = default_value;
#include "suite/contract/launch/protocol.inc"
#undef DDPBENCH_PROTOCOL_KEY

  bool operator==(const Protocol&) const = default;
};

// Says who reads a key. kDriver: no rank asks for it, and the worker has no flag for it. A rank has a seed of its own launch,
// drawn from the protocol's.
enum class ProtocolReader { kRanks, kDriver };

// Holds one line of protocol.inc.
struct ProtocolField {
  using Member = std::variant<std::int64_t Protocol::*, double Protocol::*, bool Protocol::*>;
  const char* key;
  Member member;
  double minimum;
  double maximum;
  const char* unit;
  ProtocolReader reader;
  const char* help;
};

// Returns the fields in the order of protocol.inc.
std::span<const ProtocolField> protocol_fields();

// Returns nullptr where no field has that key.
const ProtocolField* find_protocol_field(std::string_view key);

// Describes the field and its unit: "but never less than this, microseconds".
std::string help_of(const ProtocolField& field);

// Describes the field as an option: type, bounds and default.
OptionEntry rule_of(const ProtocolField& field);

// Writes the field's value as field_text does.
std::string text_of(const ProtocolField& field, const Protocol& protocol);

// Returns whether the field has the value of a default Protocol.
bool is_default(const ProtocolField& field, const Protocol& protocol);

// Sets the field. Throws UsageError where the text is not of its type; whether it is legal is asked of rule_of.
void set_field(const ProtocolField& field, const std::string& text, Protocol& protocol);

// Says why the fields do not agree with each other; "" where they do.
std::string why_contradictory(const Protocol& protocol);

}  // namespace ddpbench
