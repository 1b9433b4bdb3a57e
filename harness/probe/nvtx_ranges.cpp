#include "harness/probe/nvtx_ranges.hpp"

#include <nvtx3/nvToolsExt.h>

#include <array>
#include <vector>

namespace ddpbench {
namespace {

struct RegisteredNames {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("ddpbench");
  std::array<nvtxStringHandle_t, kPhaseCount> phases{};
  std::vector<nvtxStringHandle_t> arms;

  RegisteredNames() {
    for (std::size_t i = 0; i < kPhaseCount; ++i) phases[i] = nvtxDomainRegisterStringA(domain, kPhaseNames[i]);
  }
};

RegisteredNames& names() {
  static RegisteredNames instance;
  return instance;
}

void push(nvtxStringHandle_t name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = name;
  nvtxDomainRangePushEx(names().domain, &attributes);
}

}  // namespace

bool nvtx_built() { return true; }

void nvtx_register(std::uint32_t arm_count, const char* const* arm_names) {
  names().arms.clear();
  for (std::uint32_t i = 0; i < arm_count; ++i) {
    names().arms.push_back(nvtxDomainRegisterStringA(names().domain, arm_names[i]));
  }
}

void nvtx_push(Phase phase) { push(names().phases[index_of(phase)]); }
void nvtx_push_block(std::uint32_t arm) { push(names().arms.at(arm)); }
void nvtx_pop() { nvtxDomainRangePop(names().domain); }

}  // namespace ddpbench
