#include "suite/launch/probe/installed_vocabulary.hpp"

#include "suite/launch/launchers/launchers.hpp"

namespace ddpbench {

Vocabulary installed_vocabulary(const Installation& installation) {
  auto vocabulary = read_vocabulary(installation.vocabulary().string());
  for (const auto& launcher : launchers()) {
    vocabulary.launchers.push_back(launcher);
  }
  return vocabulary;
}

}  // namespace ddpbench
