#include "harness/measure/process/profiler_window.hpp"

#include <utility>

#include "harness/probe/nvtx_ranges.hpp"

namespace ddpbench {
namespace {

using ProfilerSwitch = void (*)(bool on);
ProfilerSwitch device_switch = nullptr;

}  // namespace

void open_profiler_window(const Accelerator* accelerator) {
  if (accelerator != nullptr) device_switch = accelerator->profiler_switch();
  if (device_switch != nullptr) device_switch(true);
  nvtx_open_window();
}

void close_profiler_window() {
  nvtx_close_window();
  if (const auto turn = std::exchange(device_switch, nullptr)) turn(false);
}

}  // namespace ddpbench
