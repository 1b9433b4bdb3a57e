#pragma once
#include <array>
#include <map>
#include <string>

namespace ddpbench {

// Names the workload that has no model of its own: arms bring modules of the experiment's.
inline constexpr const char* kModuleWorkload = "module";
// Name the features that say which code of the user's own an arm takes: the module that it trains, the loop that trains.
inline constexpr const char* kModuleFeature = "module";
inline constexpr const char* kLoopFeature = "loop";

// Describes a kind of code that an experiment brings: NAME = "FILE.py:WHAT" in a section of its file, and the arm BASE=NAME.
struct OwnCodeKind {
  const char* feature;  // "module"; ranks are told by its flag, --module NAME=FILE.py:Class
  const char* section;  // "modules"
  const char* form;     // "FILE.py:Class"
  const char* must_be;  // what stands in the file
};
inline constexpr std::array kOwnCodeKinds{
    OwnCodeKind{kModuleFeature, "modules", "FILE.py:Class",
                "a file of Python and a LightningModule in it, or a function that makes one"},
    OwnCodeKind{kLoopFeature, "loops", "FILE.py:function", "a file of Python and a function in it that trains"},
};

// Holds what an experiment brings: by the kind's feature, then by name, "/absolute/FILE.py:Class".
using OwnCode = std::map<std::string, std::map<std::string, std::string>>;

// Returns whether the feature says which code of the user's own an arm takes.
inline bool is_own_code(const std::string& feature) {
  for (const auto& kind : kOwnCodeKinds) {
    if (feature == kind.feature) return true;
  }
  return false;
}

}  // namespace ddpbench
