#include "suite/commands/report/print_verification.hpp"

#include <iostream>

#include "suite/store/folder_state.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {

bool print_verification(const std::string& folder) {
  bool whole = true;
  for (const auto& sentence : verify_results_folder(folder)) {
    std::cout << sentence << '\n';
    whole = whole && is_note(sentence);
  }
  return whole;
}

}  // namespace ddpbench
