#pragma once
#include <string>
#include <vector>

#include "suite/launch/installation.hpp"

namespace ddpbench {

// Says where the page stands, or why there is none; one of the two is empty.
struct DrawnPage {
  std::string page;     // where it stands, written by this call
  std::string why_not;  // what hindered it
};

// Draws with the installation's Python (`python -m reports.html`, these words), and tells on the standard error what it draws.
// `page`: where the page is to stand then. Throws nothing: what was measured is not lost for it.
DrawnPage draw_page(const Installation& installation, const std::vector<std::string>& words, const std::string& page);

}  // namespace ddpbench
