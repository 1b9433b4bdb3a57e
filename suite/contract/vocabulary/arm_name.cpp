#include "suite/contract/vocabulary/arm_name.hpp"

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

bool is_in_a_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

std::string own_code_feature(const Vocabulary& vocabulary, const std::string& base) {
  const auto* arm = entry_or_null(vocabulary.arms, base);
  if (arm != nullptr) {
    for (const auto& feature : arm->takes) {
      if (follows_base(feature)) return feature;
    }
  }
  return kModuleFeature;
}

std::size_t next_sign(std::string_view text, std::size_t from) {
  bool in_value = false;
  for (auto i = from; i < text.size(); ++i) {
    if (text[i] == '=') in_value = true;
    if (text[i] != '+' && text[i] != '-') continue;
    if (!in_value || i + 1 == text.size() || !is_in_a_number(text[i + 1])) return i;
  }
  return std::string_view::npos;
}

}  // namespace

FeatureChange change_of(char sign, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return {sign, std::string(text)};
  return {sign, std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::string base_of_arm(std::string_view text) {
  const auto base = text.substr(0, next_sign(text, 0));
  return std::string(base.substr(0, base.find('=')));
}

WrittenArm split_arm_name(const Vocabulary& vocabulary, std::string_view text) {
  auto end = next_sign(text, 0);
  const auto first = text.substr(0, end);
  WrittenArm written{base_of_arm(text), {}};
  if (const auto equals = first.find('='); equals != std::string_view::npos) {
    written.changes.push_back({'+', own_code_feature(vocabulary, written.base), std::string(first.substr(equals + 1))});
  }
  while (end != std::string_view::npos) {
    const auto next = next_sign(text, end + 1);
    written.changes.push_back(change_of(text[end], text.substr(end + 1, next - end - 1)));
    end = next;
  }
  return written;
}

std::string feature_text(const std::string& feature, const std::string& value) {
  return value.empty() ? feature : feature + "=" + value;
}

std::string added_text(const std::string& feature, const std::string& value) {
  return follows_base(feature) ? "=" + value : "+" + feature_text(feature, value);
}

const std::vector<std::string>& bundle_of(const Vocabulary& vocabulary, const std::string& base, const std::string& feature) {
  static const std::vector<std::string> none;
  if (const auto* arm = entry_or_null(vocabulary.arms, base)) {
    if (const auto own = arm->bundles.find(feature); own != arm->bundles.end()) return own->second;
  }
  const auto* entry = entry_or_null(vocabulary.features, feature);
  return entry == nullptr ? none : entry->bundle;
}

std::vector<FeatureChange> expand(const Vocabulary& vocabulary, const std::string& base, const FeatureChange& change) {
  const auto& bundle = bundle_of(vocabulary, base, change.feature);
  if (bundle.empty()) return {change};
  std::vector<FeatureChange> parts;
  for (const auto& part : bundle) parts.push_back(change_of(change.sign, part));
  return parts;
}

std::vector<std::string> expand(const Vocabulary& vocabulary, const std::string& base, const std::vector<std::string>& listed) {
  std::vector<std::string> features;
  for (const auto& text : listed) {
    for (const auto& part : expand(vocabulary, base, change_of('+', text))) {
      features.push_back(feature_text(part.feature, part.value));
    }
  }
  return features;
}

}  // namespace ddpbench
