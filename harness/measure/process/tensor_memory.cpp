#include "harness/measure/process/tensor_memory.hpp"

#include <c10/core/CPUAllocator.h>
#include <malloc.h>

#include <atomic>

namespace ddpbench {
namespace {

class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    void* data = inner().raw_allocate(bytes);
    if (data != nullptr) add(static_cast<std::int64_t>(malloc_usable_size(data)));
    return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }

  // The first line ends the time that the peak is of; the second counts what another thread took between the two.
  static std::int64_t take_peak() {
    const auto peak = peak_.exchange(current_.load());
    raise_peak_to(current_.load());
    return peak;
  }

 private:
  static c10::Allocator& inner() { return *c10::GetDefaultCPUAllocator(); }

  static void add(std::int64_t bytes) { raise_peak_to(current_ += bytes); }

  static void raise_peak_to(std::int64_t now) {
    auto peak = peak_.load();
    while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
    }
  }

  static void release(void* data) {
    if (data == nullptr) return;
    current_ -= static_cast<std::int64_t>(malloc_usable_size(data));
    inner().raw_deallocate(data);
  }

  static inline std::atomic<std::int64_t> current_ = 0, peak_ = 0;
};

}  // namespace

void count_tensor_memory() {
  constexpr std::uint8_t kBeforeLibTorchs = 100;
  static CountingAllocator allocator;  // tensors outlive all of ours: their memory goes back through it
  c10::SetCPUAllocator(&allocator, kBeforeLibTorchs);
}

std::int64_t take_peak_of_host_tensors() { return CountingAllocator::take_peak(); }

}  // namespace ddpbench
