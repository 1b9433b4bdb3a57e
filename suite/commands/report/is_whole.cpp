#include "suite/commands/report/is_whole.hpp"

#include <iostream>

#include "suite/store/folder_state.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {

bool is_whole(const std::string& folder) {
  bool whole = true;
  for (const auto& sentence : verify_results_folder(folder)) {
    std::cout << sentence << '\n';
    whole = whole && is_note(sentence);
  }
  return whole;
}

}  // namespace ddpbench
