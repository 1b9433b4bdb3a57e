#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Says what type the values of an option have; a switch is "true" or "false".
enum class OptionType { kInteger, kNumber, kText, kSwitch };

// Describes one option of a group (option_groups.hpp): [workload], [strategy], … of an experiment. `legal` is empty where any
// value of the type (within [minimum, maximum] for numbers) is legal.
struct OptionEntry {
  std::string name;
  OptionType type = OptionType::kText;
  std::string default_value;
  std::vector<std::string> legal{};
  double minimum = 0;
  double maximum = 0;
  std::string help{};
  std::map<std::string, std::map<std::string, std::string>> needs{};  // value -> what other options of the entry must then be
  bool is_file = false;                                               // text: the name of a file that can be read
  bool operator==(const OptionEntry&) const = default;
};

// Writes an option as vocabulary.json has it.
void to_json(nlohmann::ordered_json& json, const OptionEntry& option);

// Reads it. Throws Error for an unknown type, the JSON library's exception where a key is missing or of another type.
void from_json(const nlohmann::ordered_json& json, OptionEntry& option);

// Returns whether `value` is the word "default" of a number whose default is its entry's own to say: `learning_rate = default`.
bool is_word_for_default(const OptionEntry& option, std::string_view value);

// Says why `value` is not legal for the option: "must be one of imagenet, cifar"; "" where it is.
std::string why_illegal(const OptionEntry& option, const std::string& value);

// Says why the values of an entry's options do not go together (OptionEntry::needs): "static_graph = true needs accumulate = 1,
// not 3"; "" where they do. `values`: all of them.
std::string why_contradictory(std::span<const OptionEntry> options, const std::map<std::string, std::string>& values);

}  // namespace ddpbench
