#pragma once
#include <array>
#include <map>
#include <string>

namespace ddpbench {

// Names the workload that has no model of its own: arms bring modules of the experiment's.
inline constexpr const char* kModuleWorkload = "module";
// Name the features that say which code of the user's own an arm takes: the module that it trains, the loop that trains, the
// loader that gives its batches, the callbacks of its Trainer.
inline constexpr const char* kModuleFeature = "module";
inline constexpr const char* kLoopFeature = "loop";
inline constexpr const char* kLoaderFeature = "loader";
inline constexpr const char* kCallbackFeature = "callback";

// Describes a kind of code that an experiment brings: NAME = "FILE.py:WHAT" in a section of its file, and the arm BASE=NAME or
// BASE+FEATURE=NAME.
struct OwnCodeKind {
  const char* feature;  // "module"; ranks are told by its flag, --module NAME=FILE.py:Class
  const char* section;  // "modules"
  const char* form;     // "FILE.py:Class"
  const char* must_be;  // what stands in the file
  bool follows_base;    // the arm is BASE=NAME
};
inline constexpr std::array kOwnCodeKinds{
    OwnCodeKind{kModuleFeature, "modules", "FILE.py:Class",
                "a file of Python and a LightningModule in it, or a function that makes one", true},
    OwnCodeKind{kLoopFeature, "loops", "FILE.py:function", "a file of Python and a function in it that trains", true},
    OwnCodeKind{
        kLoaderFeature, "loaders", "FILE.py:function",
        "a file of Python and a function in it that makes a loader, or a LightningModule or LightningDataModule that has one",
        false},
    OwnCodeKind{kCallbackFeature, "callbacks", "FILE.py:Class",
                "a file of Python and a Callback of Lightning in it, or a function that makes one or a list of them", false},
};

// Holds what an experiment brings: by the kind's feature, then by name, "/absolute/FILE.py:Class".
using OwnCode = std::map<std::string, std::map<std::string, std::string>>;

// Returns whether the feature is own code that is written BASE=NAME.
inline bool follows_base(const std::string& feature) {
  for (const auto& kind : kOwnCodeKinds) {
    if (feature == kind.feature) return kind.follows_base;
  }
  return false;
}

}  // namespace ddpbench
