#include "suite/contract/vocabulary/arm_name.hpp"

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

bool is_in_a_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

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

WrittenArm split_arm_name(std::string_view text) {
  auto end = next_sign(text, 0);
  WrittenArm written{std::string(text.substr(0, end)), {}};
  if (const auto equals = written.base.find('='); equals != std::string::npos) {
    written.changes.push_back({'+', kModuleFeature, written.base.substr(equals + 1)});
    written.base.resize(equals);
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
  return feature == kModuleFeature ? "=" + value : "+" + feature_text(feature, value);
}

std::vector<FeatureChange> expand(const Vocabulary& vocabulary, const FeatureChange& change) {
  const auto* entry = entry_or_null(vocabulary.features, change.feature);
  if (entry == nullptr || entry->bundle.empty()) return {change};
  std::vector<FeatureChange> parts;
  for (const auto& part : entry->bundle) parts.push_back(change_of(change.sign, part));
  return parts;
}

std::vector<std::string> expand(const Vocabulary& vocabulary, const std::vector<std::string>& listed) {
  std::vector<std::string> features;
  for (const auto& text : listed) {
    for (const auto& part : expand(vocabulary, change_of('+', text))) {
      features.push_back(feature_text(part.feature, part.value));
    }
  }
  return features;
}

}  // namespace ddpbench
