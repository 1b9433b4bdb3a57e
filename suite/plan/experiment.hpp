#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds one swept field: the values in the order given, as text ("2", "ddp"), each as short as it reads back ("16", never
// "16.0").
struct Axis {
  std::string name;
  OptionType type = OptionType::kText;
  std::vector<std::string> values;

  bool operator==(const Axis&) const = default;
};

// Holds the value of an option. Its type says how it is written: "imagenet" is quoted in TOML, 25 is not.
struct OptionValue {
  OptionType type = OptionType::kText;
  std::string text;

  bool operator==(const OptionValue&) const = default;
};

// Names the file that an experiment was read from, for messages. Takes no part in equality.
struct Origin {
  std::string path;

  bool operator==(const Origin& /*other*/) const { return true; }
};

// Holds an experiment as the user wrote it, with every default filled in. Plain data; valid by construction (parse_experiment
// checks).
struct Experiment {
  Origin origin;
  std::string name;
  std::vector<std::string> arms;
  std::vector<Axis> axes;  // the standard ones in the order of PlanRow, then options that were made an axis
  std::vector<std::string> constraints;
  std::map<std::string, std::string>
      arms_where;  // arm, as in `arms` -> the constraint that holds in its cells. A reference's is its family's
  // Purpose (PurposeEntry::extra_for) -> the constraint that holds where launches of it stand behind the timed ones.
  std::map<std::string, std::string> extra_where;
  OwnCode own_code;  // of the user's, for arms such as py_lightning=NAME
  Protocol protocol;
  PerOptionGroup<std::map<std::string, OptionValue>> options;  // as given; defaults come from the vocabulary, per entry

  bool operator==(const Experiment&) const = default;
};

// Holds what --set and --constraint add to the file. A setting replaces the file's value of that key wherever it stands; several
// values for an option or a key of the protocol make it an axis.
struct Overrides {
  std::vector<std::string> settings{};  // "backend=gloo,nccl"; any key of an experiment: axes, arms, name, protocol, options
  std::vector<std::string> constraints{};
  bool quick = false;  // the settings of the file's [quick] too, before these
};

// Bounds the cells; more are refused before they are made: at a second each they would take eleven days.
inline constexpr std::int64_t kMaxCells = 1'000'000;

// Bounds the terms of constraints to be looked at, in all cells together: seconds. What is beyond is refused before a cell is
// made.
inline constexpr std::int64_t kMaxConstraintTerms = 200'000'000;

// Bounds the arms of an experiment; more are refused.
inline constexpr std::size_t kMaxArms = 256;

// Reads and checks an experiment. Throws one UsageError that holds every mistake found, each naming `origin`, the line and the
// key, the value, and what is legal; a TOML syntax error quotes its line with its number.
Experiment parse_experiment(const std::string& toml_text, const std::string& origin, const Vocabulary& vocabulary,
                            const Overrides& overrides = {});

// Writes the effective experiment as TOML, every default written out; parse_experiment reads it back to an equal one.
std::string to_toml(const Experiment& experiment);

}  // namespace ddpbench
