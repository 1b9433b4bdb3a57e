#include "suite/commands/is_whole.hpp"

#include <iostream>

#include "suite/store/verify_folder.hpp"

namespace ddpbench {

bool is_whole(const std::string& folder) {
  bool whole = true;
  for (const auto& sentence : verify_results_folder(folder)) {
    std::cout << sentence << '\n';
    whole = whole && sentence.rfind("note: ", 0) == 0;
  }
  return whole;
}

}  // namespace ddpbench
