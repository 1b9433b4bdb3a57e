#pragma once
#include <exception>
#include <string>

namespace ddpbench {

// Returns what a person is told of an exception. Keeps our own texts; turns what the library underneath says ("filesystem error:
// cannot …", "std::bad_alloc", "[json.exception.type_error.302] …") into a sentence that names the file where one is known, and
// says first what it means and what would help where that is known (library_errors.hpp).
std::string failure_text(const std::exception& error);

}  // namespace ddpbench
