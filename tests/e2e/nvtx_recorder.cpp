// A tool for NVTX, in the place of Nsight Systems: NVTX_INJECTION64_PATH names it, and what ranges of the domain "ddpbench" a process opens
// and closes stands in $NVTX_RECORD.<process id>, one per line: "push forward", "pop".
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int domain_of_ours;  // its address is the handle

std::FILE* record() {
  static std::FILE* file = [] {
    const char* path = std::getenv("NVTX_RECORD");
    auto* opened = path == nullptr ? nullptr : std::fopen((std::string(path) + "." + std::to_string(getpid())).c_str(), "w");
    if (opened != nullptr) std::setvbuf(opened, nullptr, _IOLBF, 0);  // a rank leaves without its destructors
    return opened;
  }();
  return file;
}

bool is_ours(nvtxDomainHandle_t domain) { return domain == reinterpret_cast<nvtxDomainHandle_t>(&domain_of_ours); }

nvtxDomainHandle_t NVTX_API create(const char* name) {
  return std::strcmp(name, "ddpbench") == 0 ? reinterpret_cast<nvtxDomainHandle_t>(&domain_of_ours) : nullptr;
}

// Names live as long as the process.
nvtxStringHandle_t NVTX_API register_name(nvtxDomainHandle_t /*domain*/, const char* name) {
  return reinterpret_cast<nvtxStringHandle_t>(strdup(name));
}

int NVTX_API push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  if (is_ours(domain) && record() != nullptr) {
    std::fprintf(record(), "push %s\n", reinterpret_cast<const char*>(attributes->message.registered));
  }
  return 0;
}

int NVTX_API pop(nvtxDomainHandle_t domain) {
  if (is_ours(domain) && record() != nullptr) std::fputs("pop\n", record());
  return 0;
}

}  // namespace

// NVTX calls it by this name.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&create);
  *table[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(&register_name);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
  return 1;
}
