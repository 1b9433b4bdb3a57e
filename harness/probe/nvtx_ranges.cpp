#include "harness/probe/nvtx_ranges.hpp"

#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ddpbench {
namespace {

struct RegisteredNames {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("ddpbench");
  std::array<nvtxStringHandle_t, kPhaseRangeCount> phases{};
  nvtxStringHandle_t window = nvtxDomainRegisterStringA(domain, "measure");
  nvtxStringHandle_t step = nvtxDomainRegisterStringA(domain, "step");
  std::vector<nvtxStringHandle_t> arms;
  std::string mark;

  RegisteredNames() {
    for (std::size_t i = 0; i < kPhaseRangeCount; ++i) phases[i] = nvtxDomainRegisterStringA(domain, kPhaseRangeNames[i]);
  }
};

RegisteredNames& names() {
  static RegisteredNames instance;
  return instance;
}

nvtxEventAttributes_t attributes_with(nvtxMessageType_t type) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = type;
  return attributes;
}

nvtxEventAttributes_t attributes_of(nvtxStringHandle_t name) {
  auto attributes = attributes_with(NVTX_MESSAGE_TYPE_REGISTERED);
  attributes.message.registered = name;
  return attributes;
}

nvtxEventAttributes_t attributes_of(const char* text) {
  auto attributes = attributes_with(NVTX_MESSAGE_TYPE_ASCII);
  attributes.message.ascii = text;
  return attributes;
}

void begin_range(const nvtxEventAttributes_t& attributes) { nvtxDomainRangePushEx(names().domain, &attributes); }

void begin_range(nvtxStringHandle_t name, std::uint32_t arm, std::uint64_t payload) {
  auto attributes = attributes_of(name);
  attributes.category = arm + 1;
  attributes.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  attributes.payload.ullValue = payload;
  begin_range(attributes);
}

class NvtxRanges final : public RangeSink {
 public:
  void push(PhaseRange range) override { begin_range(attributes_of(names().phases[index_of(range)])); }
  void push_block(std::uint32_t arm, std::uint32_t block) override { begin_range(names().arms.at(arm), arm, block); }
  void push_step(const StepPlace& place) override {
    constexpr unsigned kBlockBits = 32;
    const auto step = static_cast<std::uint32_t>(std::max<std::int64_t>(place.step, 0));
    begin_range(names().step, place.arm, static_cast<std::uint64_t>(place.block) << kBlockBits | step);
  }
  void pop() override { nvtx_pop(); }
};

bool window_is_open = false;

}  // namespace

bool nvtx_built() { return true; }

void nvtx_register(const NvtxNames& given) {
  auto& known = names();
  known.arms.clear();
  for (const auto& arm : given.arms) {
    known.arms.push_back(nvtxDomainRegisterStringA(known.domain, arm.c_str()));
    nvtxDomainNameCategoryA(known.domain, static_cast<std::uint32_t>(known.arms.size()), arm.c_str());
  }
  nvtxNameOsThreadA(static_cast<std::uint32_t>(::syscall(SYS_gettid)), given.thread.c_str());
  known.mark = given.mark;
}

RangeSink& nvtx_ranges() {
  static NvtxRanges ranges;
  return ranges;
}

void nvtx_open_window() {
  if (std::exchange(window_is_open, true)) return;
  begin_range(attributes_of(names().window));
  const auto mark = attributes_of(names().mark.c_str());
  nvtxDomainMarkEx(names().domain, &mark);
}

void nvtx_close_window() {
  if (std::exchange(window_is_open, false)) nvtx_pop();
}

void nvtx_push(const char* name) { begin_range(attributes_of(name)); }
void nvtx_pop() { nvtxDomainRangePop(names().domain); }

}  // namespace ddpbench
