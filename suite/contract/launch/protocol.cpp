#include "suite/contract/launch/protocol.hpp"

#include <algorithm>
#include <array>

#include "suite/base/errors.hpp"
#include "suite/contract/field_text.hpp"

namespace ddpbench {
namespace {

#define DDPBENCH_PROTOCOL_KEY(type, key, default_value, smallest, largest, unit, reader, help) \
  ProtocolField{#key, &Protocol::key, smallest, largest, unit, ProtocolReader::reader, help},
const std::array kProtocolFields{
#include "suite/contract/launch/protocol.inc"
};
#undef DDPBENCH_PROTOCOL_KEY

OptionType type_of(const ProtocolField& field) {
  if (std::holds_alternative<bool Protocol::*>(field.member)) return OptionType::kSwitch;
  return std::holds_alternative<std::int64_t Protocol::*>(field.member) ? OptionType::kInteger : OptionType::kNumber;
}

const char* type_text(const ProtocolField& field) {
  return type_of(field) == OptionType::kSwitch    ? "true or false"
         : type_of(field) == OptionType::kInteger ? "an integer"
                                                  : "a number";
}

}  // namespace

std::span<const ProtocolField> protocol_fields() { return kProtocolFields; }

const ProtocolField* find_protocol_field(std::string_view key) {
  const auto found =
      std::find_if(kProtocolFields.begin(), kProtocolFields.end(), [&](const auto& field) { return key == field.key; });
  return found == kProtocolFields.end() ? nullptr : &*found;
}

std::string help_of(const ProtocolField& field) {
  return std::string(field.help) + (*field.unit == '\0' ? "" : ", ") + field.unit;
}

OptionEntry rule_of(const ProtocolField& field) {
  return OptionEntry{.name = field.key,
                     .type = type_of(field),
                     .default_value = text_of(field, Protocol{}),
                     .legal = {},
                     .minimum = field.minimum,
                     .maximum = field.maximum,
                     .help = help_of(field)};
}

std::string text_of(const ProtocolField& field, const Protocol& protocol) {
  return std::visit([&](auto member) { return field_text(protocol.*member); }, field.member);
}

bool is_default(const ProtocolField& field, const Protocol& protocol) {
  return std::visit([&](auto member) { return protocol.*member == Protocol{}.*member; }, field.member);
}

void set_field(const ProtocolField& field, const std::string& text, Protocol& protocol) {
  const bool read = std::visit([&](auto member) { return read_field(text, protocol.*member); }, field.member);
  if (!read) throw UsageError(std::string(field.key) + " takes " + type_text(field) + ", not '" + text + "'");
}

std::string why_contradictory(const Protocol& protocol) {
  if (protocol.max_super_blocks == 0 || protocol.max_super_blocks >= protocol.min_super_blocks) return "";
  return "protocol.max_super_blocks = " + std::to_string(protocol.max_super_blocks) +
         " is less than min_super_blocks = " + std::to_string(protocol.min_super_blocks) +
         ": must be 0 (no bound) or at least min_super_blocks";
}

}  // namespace ddpbench
