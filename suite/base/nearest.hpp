#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Returns the known word that a typing error most likely meant; "" where none is near. An error is a letter too many, too few or
// another one, or two that are exchanged (optimal string alignment distance); a word may hold one for every three letters, and
// three at most.
std::string nearest(const std::vector<std::string>& known, const std::string& word);

// Returns the known words that a word may stand for, at most four: the nearest; else those that hold all of its letters together,
// whatever signs stand between them ("bf16" of "amp_bf16", "jeanzay" of "jean-zay-a100"); else those that it abbreviates ("rn" of
// "resnet50"). Empty where it is like none.
std::vector<std::string> meant_by(const std::vector<std::string>& known, const std::string& word);

// Returns the end of a message about an unknown word: "; did you mean 'trainer'?", "; did you mean 'a' or 'b'?"; "" where it is
// like none.
std::string did_you_mean(const std::vector<std::string>& known, const std::string& word);

}  // namespace ddpbench
