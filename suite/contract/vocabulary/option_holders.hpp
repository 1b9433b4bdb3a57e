#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// The lines of option_holders.inc.
enum class Holder : std::size_t {
#define DDPBENCH_OPTION_HOLDER(holder, ...) holder,
#include "suite/contract/vocabulary/option_holders.inc"
#undef DDPBENCH_OPTION_HOLDER
};

enum class Chooser { kAxis, kArms, kLauncher };

struct OptionHolder {
  Holder holder;
  const char* name;                                   // of its table in an experiment, and of its axis where that chooses
  std::vector<VocabularyEntry> Vocabulary::*entries;  // whose options these are
  Chooser chooser;
};

inline constexpr std::array kOptionHolders{
#define DDPBENCH_OPTION_HOLDER(holder, name, section, chooser) \
  OptionHolder{Holder::holder, #name, &Vocabulary::section, Chooser::chooser},
#include "suite/contract/vocabulary/option_holders.inc"
#undef DDPBENCH_OPTION_HOLDER
};

// One value for each holder.
template <class Value>
class ByHolder {
 public:
  Value& operator[](Holder holder) { return values_[static_cast<std::size_t>(holder)]; }
  const Value& operator[](Holder holder) const { return values_[static_cast<std::size_t>(holder)]; }

  bool operator==(const ByHolder&) const = default;

 private:
  std::array<Value, kOptionHolders.size()> values_{};
};

// Whether a table of an experiment of this name holds options.
inline bool holds_options(std::string_view table) {
  for (const auto& holder : kOptionHolders) {
    if (holder.name == table) return true;
  }
  return false;
}

}  // namespace ddpbench
