#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// Says how a value was written. kUntyped: by --set, where text has no quotes. kOther: a table, a date, an array in an array.
enum class Written { kText, kInteger, kNumber, kSwitch, kUntyped, kOther };

// Holds one value of a key as the user wrote it, without its quotes; of kOther the name of its type.
struct WrittenValue {
  Written as = Written::kUntyped;
  std::string text;
};

// Holds one key of an experiment as the user gave it, before anything is known about it.
struct Setting {
  std::string section;  // "", "axes", "protocol", or the name of an option group
  std::string key;
  std::string where;  // "overhead.toml:12" or "--set launches=0"
  std::vector<WrittenValue> values;
  bool is_list = false;
  bool from_command_line = false;
  bool used = false;  // the reader has taken it; what nobody took is unknown
};

// Returns "protocol.launches".
inline std::string full_key(const Setting& setting) {
  return setting.section.empty() ? setting.key : setting.section + "." + setting.key;
}

}  // namespace ddpbench
