#include "suite/launch/probe/installed_vocabulary.hpp"

#include "suite/launch/launchers/launchers.hpp"

namespace ddpbench {

Vocabulary installed_vocabulary(const Installation& installation) {
  auto vocabulary = read_vocabulary(installation.vocabulary().string());
  for (const auto& launcher : launchers()) {
    VocabularyEntry entry;
    entry.name = launcher.name;
    entry.help = launcher.help;
    if (launcher.options != nullptr) entry.options = launcher.options();
    vocabulary.launchers.push_back(std::move(entry));
  }
  return vocabulary;
}

}  // namespace ddpbench
