#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench::fuzz {

// One reader of bytes from outside. `read` may throw Error, which is a refusal with words; anything else that it throws, and whatever a
// sanitizer sees, is a finding. `sound` is what the search begins with.
struct Reader {
  std::string_view name;
  void (*read)(const std::string& bytes);
  std::vector<std::string> (*sound)();
};

// The table: one more reader is a function and a line here.
std::span<const Reader> readers();

}  // namespace ddpbench::fuzz
