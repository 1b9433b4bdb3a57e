#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "suite/plan/experiment.hpp"

namespace ddpbench {

// One key of [protocol]. Reader, writer, `plan`'s print, --set and the error texts come from this table and from nowhere else.
struct ProtocolField {
  using Member = std::variant<std::int64_t Protocol::*, double Protocol::*, bool Protocol::*>;
  const char* key;
  Member member;
  double minimum;
  double maximum;
  const char* help;
};

std::span<const ProtocolField> protocol_fields();

// nullptr where no field has that key.
const ProtocolField* find_protocol_field(const std::string& key);

// The field as an option: type, bounds and default.
OptionEntry rule_of(const ProtocolField& field);

std::string text_of(const ProtocolField& field, const Protocol& protocol);

// `text` has been checked against rule_of(field).
void set_field(const ProtocolField& field, const std::string& text, Protocol& protocol);

// "" where the fields agree with each other, else why not.
std::string why_contradictory(const Protocol& protocol);

}  // namespace ddpbench
