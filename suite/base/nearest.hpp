#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// The known word that a typing error most likely meant; "" where none is near. An error is a letter too many, too few or another one, or two that are
// exchanged (optimal string alignment distance); a word may hold one of them for every three letters, and three at most.
std::string nearest(const std::vector<std::string>& known, const std::string& word);

// "; did you mean 'trainer'?", the end of a message about a word that is not known; "" where none is near.
std::string did_you_mean(const std::vector<std::string>& known, const std::string& word);

}  // namespace ddpbench
