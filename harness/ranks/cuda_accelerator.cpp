#include "harness/ranks/cuda_accelerator.hpp"

#include <ATen/Context.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/Sleep.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nccl.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "suite/base/errors.hpp"

// Of cuda_profiler_api.h, which NVIDIA's wheels leave out.
extern "C" {
cudaError_t CUDARTAPI cudaProfilerStart();  // NOLINT(readability-identifier-naming): CUDA's names
cudaError_t CUDARTAPI cudaProfilerStop();   // NOLINT(readability-identifier-naming)
}

namespace ddpbench {
namespace {

// Marks are events of a pool, on the stream that is current when they are made.
class EventClock final : public DeviceClock {
 public:
  void reserve(std::size_t marks) override {
    events_.reserve(marks);
    seconds_.reserve(marks);
    while (events_.size() < marks) {
      events_.emplace_back(static_cast<unsigned int>(cudaEventDefault));  // PyTorch's own default has no time
      events_.back().record();                                            // an event is created when it is first recorded
    }
  }

  void mark() override {
    if (used_ == events_.size()) throw Error("more marks on the device's clock than were reserved");
    events_[used_++].record();
  }

  const std::vector<double>& read() override {
    seconds_.clear();
    if (used_ > 0) events_[used_ - 1].synchronize();
    for (std::size_t i = 1; i < used_; ++i) {
      seconds_.push_back(static_cast<double>(events_[i - 1].elapsed_time(events_[i])) / 1e3);
    }
    used_ = 0;
    return seconds_;
  }

 private:
  std::vector<at::cuda::CUDAEvent> events_;
  std::size_t used_ = 0;
};

// On a stream of its own, as capture demands; memory of the graph comes from a pool that nothing else uses. Other threads (NCCL's watchdog)
// may call the runtime meanwhile.
class CudaStepGraph final : public StepGraph {
 public:
  void capture(const std::function<void()>& body) override {
    c10::cuda::device_synchronize();
    graph_ = std::make_unique<at::cuda::CUDAGraph>();
    const c10::cuda::CUDAStreamGuard own_stream(c10::cuda::getStreamFromPool());
    graph_->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    body();
    graph_->capture_end();
  }

  void replay() override { graph_->replay(); }

 private:
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

// Without a profiler both do nothing.
void switch_cuda_profiler(bool on) { on ? cudaProfilerStart() : cudaProfilerStop(); }

class CudaAccelerator final : public Accelerator {
 public:
  explicit CudaAccelerator(c10::DeviceIndex device) : device_(device) {}
  std::unique_ptr<DeviceClock> make_clock() override { return std::make_unique<EventClock>(); }
  std::unique_ptr<StepGraph> make_graph() override { return std::make_unique<CudaStepGraph>(); }
  void wait() override { c10::cuda::device_synchronize(); }
  // At its peak clock rate: at a lower one it takes longer.
  void delay(double us) override {
    if (cycles_per_us_ == 0) cycles_per_us_ = read_cycles_per_us();
    at::cuda::sleep(static_cast<std::int64_t>(us * cycles_per_us_));
  }
  void (*profiler_switch() const)(bool) override { return switch_cuda_profiler; }
  std::int64_t reserved_bytes() const override { return reserved().current; }
  std::int64_t peak_reserved_bytes() const override { return std::max(taken_reserved_bytes_, reserved().peak); }
  std::int64_t usable_bytes() const override {
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess)
      throw Error("the CUDA driver does not tell the memory of device " + std::to_string(device_));
    return static_cast<std::int64_t>(free) + reserved_bytes();
  }
  // By the host's order: memory is taken when work is issued, whenever the device does it.
  MemoryPeak take_peak() override {
    const auto now = statistics();
    c10::cuda::CUDACachingAllocator::resetPeakStats(device_);
    const MemoryPeak peak{now.allocated_bytes[kAllPools].peak, now.reserved_bytes[kAllPools].peak};
    taken_reserved_bytes_ = std::max(taken_reserved_bytes_, peak.reserved);
    return peak;
  }

 private:
  using Statistics = c10::CachingDeviceAllocator::DeviceStats;
  using Stat = std::decay_t<decltype(Statistics{}.reserved_bytes[0])>;
  static constexpr std::size_t kAllPools = 0;
  Statistics statistics() const { return c10::cuda::CUDACachingAllocator::getDeviceStats(device_); }
  Stat reserved() const { return statistics().reserved_bytes[kAllPools]; }

  double read_cycles_per_us() const {
    int kilohertz = 0;
    if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device_) != cudaSuccess || kilohertz <= 0) {
      throw Error("the CUDA driver does not tell the clock rate of device " + std::to_string(device_));
    }
    return static_cast<double>(kilohertz) / 1e3;
  }

  c10::DeviceIndex device_;
  std::int64_t taken_reserved_bytes_ = 0;  // the largest peak that take_peak() returned
  double cycles_per_us_ = 0;               // 0: not asked yet
};

std::string path_of(const void* function) {
  Dl_info info{};
  return ::dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

std::string nccl_version() {
  int version = 0;
  ncclGetVersion(&version);
  return release_text(version);
}

}  // namespace

std::unique_ptr<Accelerator> make_cuda_accelerator(std::int64_t device) {
  constexpr int kKeepTheUsers = 0;
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", kKeepTheUsers);
  at::globalContext().lazyInitDevice(at::kCUDA);
  const auto index = static_cast<c10::DeviceIndex>(device);
  c10::cuda::set_device(index);
  return std::make_unique<CudaAccelerator>(index);
}

CudaLibraries read_cuda_libraries() {
  CudaLibraries libraries;
  if (cudaRuntimeGetVersion(&libraries.runtime) != cudaSuccess) libraries.runtime = CUDART_VERSION;  // it asks the driver, too
  libraries.nccl = nccl_version();
  libraries.nccl_path = path_of(reinterpret_cast<const void*>(&ncclGetVersion));
  libraries.cudnn = release_text(at::detail::getCUDAHooks().versionRuntimeCuDNN());
  libraries.architectures = architectures_in(DDPBENCH_CUDA_FLAGS);
  return libraries;
}

}  // namespace ddpbench
