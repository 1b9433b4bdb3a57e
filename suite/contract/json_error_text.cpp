#include "suite/contract/json_error_text.hpp"

#include <string_view>

namespace ddpbench {

std::string json_error_text(const std::exception& error) {
  const std::string_view text = error.what();
  const auto end = text.starts_with("[json.exception") ? text.find("] ") : std::string_view::npos;
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

}  // namespace ddpbench
