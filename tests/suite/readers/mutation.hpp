#pragma once
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace ddpbench::test {

// Damages texts as disks, editors and people do: bytes that change, pieces that go, come twice or come from elsewhere. The same seed
// gives the same damage on every machine (std::uniform_int_distribution would not).
class Mutation {
 public:
  Mutation(std::vector<std::string> sound, std::vector<std::string> splinters, unsigned seed)
      : sound_(std::move(sound)), splinters_(std::move(splinters)), generator_(seed) {}

  // A sound text with one to four damages.
  std::string next() {
    auto text = sound_[below(sound_.size())];
    for (auto damages = 1 + below(4); damages > 0; --damages) damage(text);
    return text;
  }

 private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : generator_() % bound; }

  void damage(std::string& text) {
    const auto at = below(text.size() + 1);
    const auto length = below(below(4) == 0 ? text.size() - at + 1 : 8);
    switch (below(6)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(generator_());
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 2: text.erase(at, length); break;
      case 3: text.insert(at, text.substr(at, length)); break;
      case 4: text.insert(at, splinters_[below(splinters_.size())]); break;
      default: {
        const auto& other = sound_[below(sound_.size())];
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
      }
    }
  }

  std::vector<std::string> sound_, splinters_;
  std::mt19937 generator_;
};

}  // namespace ddpbench::test
