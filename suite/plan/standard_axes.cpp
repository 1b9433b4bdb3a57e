#include "suite/plan/standard_axes.hpp"

#include <algorithm>
#include <array>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/plan/wording.hpp"

namespace ddpbench {
namespace {

using S = LaunchSpec;
using V = Vocabulary;
const std::array kAxes{
    StandardAxis{"workload", "", &S::workload, &V::workloads, 0},
    StandardAxis{"strategy", "ddp", &S::strategy, &V::strategies, 0},
    StandardAxis{"backend", "gloo", &S::backend, &V::backends, 0},
    StandardAxis{"precision", "fp32", &S::precision, &V::precisions, 0},
    StandardAxis{"nodes", "1", &S::nodes, nullptr, 100'000},
    StandardAxis{"ranks_per_node", "1", &S::ranks_per_node, nullptr, 1'024},
    StandardAxis{"devices_per_rank", "1", &S::devices_per_rank, nullptr, 1'024},
    StandardAxis{"batch_size_per_rank", "16", &S::batch_size_per_rank, nullptr, 1'000'000},
};

}  // namespace

std::span<const StandardAxis> standard_axes() { return kAxes; }

const StandardAxis* find_standard_axis(const std::string& name) {
  const auto found = std::find_if(kAxes.begin(), kAxes.end(), [&](const auto& axis) { return name == axis.name; });
  return found == kAxes.end() ? nullptr : &*found;
}

OptionEntry rule_of(const StandardAxis& axis, const Vocabulary& vocabulary) {
  OptionEntry rule{.name = axis.name, .default_value = axis.default_value, .legal = {}, .help = {}};
  if (axis.entries != nullptr) {
    rule.legal = names_of(vocabulary.*axis.entries);
  } else {
    rule.type = OptionType::kInteger;
    rule.minimum = 1;
    rule.maximum = axis.maximum;
  }
  return rule;
}

void set_axis(const StandardAxis& axis, const std::string& text, LaunchSpec& spec) {
  if (const auto* name = std::get_if<std::string S::*>(&axis.member)) {
    spec.** name = text;
    return;
  }
  const auto size = parse_number<std::int64_t>(text);
  if (!size) throw Error(std::string(axis.name) + ": '" + text + "' was never checked");
  spec.*std::get<std::int64_t S::*>(axis.member) = *size;
}

const OptionEntry* find_option(const std::vector<VocabularyEntry>& entries, const std::string& name, const std::string& option) {
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  if (entry == entries.end()) return nullptr;
  const auto found = std::find_if(entry->options.begin(), entry->options.end(), [&](const auto& o) { return o.name == option; });
  return found == entry->options.end() ? nullptr : &*found;
}

}  // namespace ddpbench
