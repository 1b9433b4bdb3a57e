// A tool for NVTX, in the place of Nsight Systems: NVTX_INJECTION64_PATH names it, and what ranges of the domain "ddpbench" a process opens
// and closes stands in $NVTX_RECORD.<process id>, one per line, with category and payload where a range has them: "push forward",
// "push step 2 4294967297", "pop"; and what it names: "category 1 raw", "thread rank 0", "mark rank 0 of 2, launch L0001".
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <cstdint>
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
    const auto* name = reinterpret_cast<const char*>(attributes->message.registered);
    if (attributes->payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
      std::fprintf(record(), "push %s %u %llu\n", name, attributes->category,
                   static_cast<unsigned long long>(attributes->payload.ullValue));
    } else {
      std::fprintf(record(), "push %s\n", name);
    }
  }
  return 0;
}

void NVTX_API name_category(nvtxDomainHandle_t domain, std::uint32_t category, const char* name) {
  if (is_ours(domain) && record() != nullptr) std::fprintf(record(), "category %u %s\n", category, name);
}

void NVTX_API name_thread(std::uint32_t /*thread*/, const char* name) {
  if (record() != nullptr) std::fprintf(record(), "thread %s\n", name);
}

void NVTX_API mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  if (is_ours(domain) && record() != nullptr) std::fprintf(record(), "mark %s\n", attributes->message.ascii);
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
  NvtxFunctionTable table = nullptr, core = nullptr;
  unsigned int size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&create);
  *table[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(&register_name);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
  *table[NVTX_CBID_CORE2_DomainNameCategoryA] = reinterpret_cast<NvtxFunctionPointer>(&name_category);
  *table[NVTX_CBID_CORE2_DomainMarkEx] = reinterpret_cast<NvtxFunctionPointer>(&mark);
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size) != 0)
    *core[NVTX_CBID_CORE_NameOsThreadA] = reinterpret_cast<NvtxFunctionPointer>(&name_thread);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
  return 1;
}
