#pragma once
#include <mpi.h>

#include <cstdint>
#include <limits>
#include <string>

#include "suite/base/errors.hpp"

namespace ddpbench {

// Returns MPI's own words for one of its error codes.
inline std::string mpi_text(int code) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

// Throws Error with MPI's words where the call failed; `what`: "allreduce of 4096 B".
inline void require_mpi(int code, const std::string& what) {
  if (code != MPI_SUCCESS) throw Error("mpi: " + what + ": " + mpi_text(code));
}

// Returns a number of elements or bytes as MPI takes it before MPI 4. Throws UsageError beyond 2^31 - 1.
inline int mpi_count(std::int64_t number) {
  constexpr auto kMost = std::numeric_limits<int>::max();
  if (number > kMost)
    throw UsageError("backend mpi: " + std::to_string(number) + " elements at once; MPI takes " + std::to_string(kMost));
  return static_cast<int>(number);
}

}  // namespace ddpbench
