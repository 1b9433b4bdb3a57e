#pragma once
#include <exception>
#include <string>

namespace ddpbench {

// What a person is told of an exception. Our own speak for themselves; what the library underneath says ("filesystem error: cannot …",
// "std::bad_alloc", "[json.exception.type_error.302] …") becomes a sentence that names the file where one is known, and says first what it means and what would help where that is known (library_words.hpp).
std::string failure_text(const std::exception& error);

}  // namespace ddpbench
