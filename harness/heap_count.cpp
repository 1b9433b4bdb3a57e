// operator new and delete of ddpbench-worker, LibTorch's calls of them included: the library's, and a count.
#include "harness/probe/heap_count.hpp"

#include <cstdlib>
#include <new>

namespace ddpbench {
namespace {
[[maybe_unused]] const bool kCounts = counts_heap_allocations = true;
}
}  // namespace ddpbench

void* operator new(std::size_t bytes) {
  ++ddpbench::heap_allocations;
  while (true) {
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    const auto handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
