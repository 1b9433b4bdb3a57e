#include "suite/plan/protocol_table.hpp"

#include <algorithm>
#include <array>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/plan/wording.hpp"

namespace ddpbench {
namespace {

using P = Protocol;
const std::array kFields{
    ProtocolField{"launches", &P::launches, 1, 10'000, "fresh starts of every cell; the interval is over them"},
    ProtocolField{"block_steps", &P::block_steps, 1, 100'000, "timed steps of a block, after one discarded step"},
    ProtocolField{"warmup_steps", &P::warmup_steps, 1, 1'000'000, "untimed steps per arm before the first block"},
    ProtocolField{"margin_percent", &P::margin_percent, 0.001, 100, "a verdict's margin, share of the step"},
    ProtocolField{"margin_us", &P::margin_us, 0.001, 1e6, "but never less than this, microseconds"},
    ProtocolField{"max_seconds_per_launch", &P::max_seconds_per_launch, 0.1, 1e6, "a launch measures at most this long"},
    ProtocolField{"min_super_blocks", &P::min_super_blocks, 1, 1'000'000, "but takes at least this many super-blocks"},
    ProtocolField{"max_super_blocks", &P::max_super_blocks, 0, 1'000'000, "and at most this many (0: no bound)"},
    ProtocolField{"seed", &P::seed, 0, 9'007'199'254'740'991, "of orders, weights and shuffling"},
    ProtocolField{"injected_us", &P::injected_us, 0.1, 1e6,
                  "delay of the positive controls, microseconds of thread CPU (of the device: `injected+on_device`)"},
    ProtocolField{"hang_timeout_seconds", &P::hang_timeout_seconds, 1, 1e6, "a collective that takes longer fails the launch"},
    ProtocolField{"threads_per_rank", &P::threads_per_rank, 1, 1'024, "intra-op threads of each rank"},
    ProtocolField{"deterministic", &P::deterministic, 0, 0, "deterministic kernels only, in every arm alike"},
    ProtocolField{"cudnn_benchmark", &P::cudnn_benchmark, 0, 0,
                  "cuDNN tries its algorithms and keeps the fastest, in every arm alike"},
    ProtocolField{"budget_percent", &P::budget_percent, 0, 10'000,
                  "overhead that is accepted, share of the step (0: not judged)"},
};

OptionType type_of(const ProtocolField& field) {
  if (std::holds_alternative<bool P::*>(field.member)) return OptionType::kSwitch;
  return std::holds_alternative<std::int64_t P::*>(field.member) ? OptionType::kInteger : OptionType::kNumber;
}

// `text` has been checked: each of these succeeds for a legal one.
template <class Number>
bool read_into(const std::string& text, Number& value) {
  const auto parsed = parse_number<Number>(text);
  if (parsed) value = *parsed;
  return parsed.has_value();
}

bool read_into(const std::string& text, bool& value) {
  value = text == "true";
  return value || text == "false";
}

}  // namespace

std::span<const ProtocolField> protocol_fields() { return kFields; }

const ProtocolField* find_protocol_field(const std::string& key) {
  const auto found = std::find_if(kFields.begin(), kFields.end(), [&](const auto& field) { return key == field.key; });
  return found == kFields.end() ? nullptr : &*found;
}

OptionEntry rule_of(const ProtocolField& field) {
  return OptionEntry{.name = field.key,
                     .type = type_of(field),
                     .default_value = text_of(field, Protocol{}),
                     .legal = {},
                     .minimum = field.minimum,
                     .maximum = field.maximum,
                     .help = field.help};
}

std::string text_of(const ProtocolField& field, const Protocol& protocol) {
  if (const auto* choice = std::get_if<bool P::*>(&field.member)) return protocol.**choice ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t P::*>(&field.member)) return std::to_string(protocol.**integer);
  return shortest_text(protocol.*std::get<double P::*>(field.member));
}

void set_field(const ProtocolField& field, const std::string& text, Protocol& protocol) {
  const bool read = std::visit([&](auto member) { return read_into(text, protocol.*member); }, field.member);
  if (!read) throw Error(std::string(field.key) + ": '" + text + "' was never checked");
}

std::string why_contradictory(const Protocol& protocol) {
  if (protocol.max_super_blocks == 0 || protocol.max_super_blocks >= protocol.min_super_blocks) return "";
  return "protocol.max_super_blocks = " + std::to_string(protocol.max_super_blocks) +
         " is less than min_super_blocks = " + std::to_string(protocol.min_super_blocks) +
         ": must be 0 (no bound) or at least min_super_blocks";
}

}  // namespace ddpbench
