#pragma once
#include <torch/version.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

// Hides what differs between the releases of LibTorch that the tree builds against (2.7.1 and 2.11.0 were tried), by asking the
// compiler where it knows. The build's part of it is cmake/DdpbenchLibTorch.cmake.

// c10d::Backend::setTimeout: 2.7 has none.
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 11
#define DDPBENCH_OVERRIDES_SET_TIMEOUT override
#else
#define DDPBENCH_OVERRIDES_SET_TIMEOUT
#endif

namespace ddpbench {

// Makes a c10d::Reducer. Newer releases take three more arguments than 2.7; they get Python's defaults.
template <class Reducer, class... Arguments>
std::unique_ptr<Reducer> make_reducer(Arguments&&... arguments) {
  using BucketCaps = std::vector<std::int64_t>;
  if constexpr (std::is_constructible_v<Reducer, Arguments..., bool, bool, BucketCaps>) {
    const bool skip_unused = false, python_reducer = false;
    return std::make_unique<Reducer>(std::forward<Arguments>(arguments)..., skip_unused, python_reducer, BucketCaps{});
  } else {
    return std::make_unique<Reducer>(std::forward<Arguments>(arguments)...);
  }
}

}  // namespace ddpbench
