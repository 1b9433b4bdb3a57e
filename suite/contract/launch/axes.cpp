#include "suite/contract/launch/axes.hpp"

#include <algorithm>
#include <array>

#include "suite/base/errors.hpp"
#include "suite/contract/field_text.hpp"

namespace ddpbench {
namespace {

#define DDPBENCH_NAME_AXIS(name, default_value, section, place, help) \
  StandardAxis{#name, &Axes::name, entries_of<&Vocabulary::section>, 0, place, "-", IdVisibility::kAlways, "{}", help},
#define DDPBENCH_SIZE_AXIS(name, default_value, largest, place, mark, when, words, help) \
  StandardAxis{#name, &Axes::name, nullptr, largest, place, mark, IdVisibility::when, words, help},
const std::array kAxes{
#include "suite/contract/launch/axes.inc"
};
#undef DDPBENCH_NAME_AXIS
#undef DDPBENCH_SIZE_AXIS

}  // namespace

std::span<const StandardAxis> standard_axes() { return kAxes; }

const StandardAxis* find_standard_axis(std::string_view name) {
  const auto found = std::find_if(kAxes.begin(), kAxes.end(), [&](const auto& axis) { return name == axis.name; });
  return found == kAxes.end() ? nullptr : &*found;
}

std::string text_of(const StandardAxis& axis, const Axes& axes) {
  return std::visit([&](auto member) { return field_text(axes.*member); }, axis.member);
}

bool is_default(const StandardAxis& axis, const Axes& axes) {
  static const Axes defaults;
  return same_value(axis, axes, defaults);
}

bool same_value(const StandardAxis& axis, const Axes& a, const Axes& b) {
  return std::visit([&](auto member) { return a.*member == b.*member; }, axis.member);
}

OptionEntry rule_of(const StandardAxis& axis, const Vocabulary& vocabulary) {
  OptionEntry rule{.name = axis.name, .default_value = text_of(axis, Axes{}), .legal = {}, .help = axis.help};
  if (axis.entries == nullptr) {
    rule.type = OptionType::kInteger;
    rule.minimum = 1;
    rule.maximum = axis.maximum;
    return rule;
  }
  for (const auto& entry : axis.entries(vocabulary)) rule.legal.emplace_back(entry.name);
  return rule;
}

void set_axis(const StandardAxis& axis, const std::string& text, Axes& axes) {
  const bool read = std::visit([&](auto member) { return read_field(text, axes.*member); }, axis.member);
  if (!read) throw UsageError(std::string(axis.name) + ": must be an integer, not '" + text + "'");
}

}  // namespace ddpbench
