#include "harness/probe/cuda_facts.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/gpu_architecture.hpp"

namespace ddpbench {
namespace {

// The driver's interface has been stable since CUDA 3.2: handles are ints, results are 0 for success.
constexpr int kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*

template <class... Arguments>
using DriverCall = int (*)(Arguments...);

// libcuda.so.1, opened. Never closed: the runtime opens it too.
class DriverLibrary {
 public:
  DriverLibrary() : handle_(::dlopen("libcuda.so.1", RTLD_NOW)) {}
  bool is_there() const { return handle_ != nullptr; }

  // -1 where the library has no such function.
  template <class... Arguments>
  int call(const char* name, Arguments... arguments) const {
    auto* const function = reinterpret_cast<DriverCall<Arguments...>>(::dlsym(handle_, name));
    return function == nullptr ? -1 : function(arguments...);
  }

 private:
  void* handle_;
};

CudaDevice device_at(const DriverLibrary& library, int ordinal) {
  int handle = 0, major = 0, minor = 0;
  std::array<char, 256> name{};
  std::array<unsigned char, 16> uuid{};
  library.call("cuDeviceGet", &handle, ordinal);
  library.call("cuDeviceGetName", name.data(), static_cast<int>(name.size()), handle);
  library.call("cuDeviceGetAttribute", &major, kMajor, handle);
  library.call("cuDeviceGetAttribute", &minor, kMinor, handle);
  const bool has_uuid = library.call("cuDeviceGetUuid_v2", uuid.data(), handle) == 0 ||  // since CUDA 11.4
                        library.call("cuDeviceGetUuid", uuid.data(), handle) == 0;
  return {name.data(), 10 * major + minor, has_uuid ? hexadecimal(uuid) : ""};
}

std::string described(const CudaDevice& device) { return device.name + " is sm_" + std::to_string(device.sm); }

}  // namespace

CudaDriver read_cuda_driver() {
  static const DriverLibrary library;
  if (!library.is_there()) return {"no NVIDIA driver (libcuda.so.1 not found)", 0, {}};
  CudaDriver driver;
  if (const int failed = library.call("cuInit", 0U); failed != 0) {
    return {"the NVIDIA driver does not start (cuInit: error " + std::to_string(failed) + ")", 0, {}};
  }
  library.call("cuDriverGetVersion", &driver.version);
  std::ifstream("/sys/module/nvidia/version") >> driver.release;
  int count = 0;
  library.call("cuDeviceGetCount", &count);
  for (int ordinal = 0; ordinal < count; ++ordinal) driver.devices.push_back(device_at(library, ordinal));
  return driver;
}

std::string cuda_version_text(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

std::string release_text(std::int64_t version) {
  return std::to_string(version / 10'000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
}

std::map<std::string, std::string> gpu_facts(const CudaDriver& driver, const CudaLibraries& libraries, std::int64_t device) {
  std::map<std::string, std::string> facts{{"gpu", driver.devices.at(static_cast<std::size_t>(device)).name},
                                           {"driver", driver.release},
                                           {"cuda", cuda_version_text(libraries.runtime)},
                                           {"cudnn", libraries.cudnn},
                                           {"nccl", libraries.nccl}};
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

std::vector<std::string> architectures_in(const std::string& nvcc_flags) {
  constexpr std::string_view kFlag = "code=";
  std::vector<std::string> architectures;
  for (auto at = nvcc_flags.find(kFlag); at != std::string::npos; at = nvcc_flags.find(kFlag, at)) {
    at += kFlag.size();
    auto name = nvcc_flags.substr(at, nvcc_flags.find_first_of(";, \n", at) - at);
    if (std::find(architectures.begin(), architectures.end(), name) == architectures.end())
      architectures.push_back(std::move(name));
  }
  return architectures;
}

std::string why_no_device(const CudaDriver& driver) {
  if (!driver.why_none.empty()) return driver.why_none;
  return driver.devices.empty() ? "no GPU is visible" : "";
}

std::string why_unfit(const CudaDriver& driver, const CudaLibraries& libraries) {
  if (auto reason = why_no_device(driver); !reason.empty()) return reason;
  // Since CUDA 11 a driver serves every runtime of its major version.
  if (driver.version / 1000 < libraries.runtime / 1000) {
    return "the driver serves CUDA " + cuda_version_text(driver.version) + ", this LibTorch needs CUDA " +
           std::to_string(libraries.runtime / 1000) + "; another release may fit (./bootstrap.sh build --torch-version 2.7.1)";
  }
  for (const auto& device : driver.devices) {
    if (libraries.architectures.empty() || has_kernels_for(libraries.architectures, device.sm)) continue;
    return described(device) + ", this LibTorch has kernels for " + join(libraries.architectures, ", ") +
           " only; another release may have them (./bootstrap.sh build --torch-version 2.7.1)";
  }
  return "";
}

std::string why_too_old(const CudaDriver& driver, std::int64_t least_sm) {
  for (const auto& device : driver.devices) {
    if (device.sm < least_sm) return "needs sm_" + std::to_string(least_sm) + ", " + described(device);
  }
  return "";
}

std::int64_t choose_device(std::int64_t local_rank, const CudaDriver& driver) {
  const auto visible = static_cast<std::int64_t>(driver.devices.size());
  if (visible == 1) return 0;
  if (local_rank < visible) return local_rank;
  throw UsageError(
      "local rank " + std::to_string(local_rank) + " has no GPU: " + std::to_string(visible) +
      " visible, and each rank of a node takes one of its own: fewer ranks_per_node, or more of CUDA_VISIBLE_DEVICES and of the "
      "job's GPUs");
}

std::string why_shared(const std::vector<std::string>& uuids) {
  for (std::size_t rank = 0; rank < uuids.size(); ++rank) {
    const auto first = std::find(uuids.begin(), uuids.end(), uuids[rank]) - uuids.begin();
    if (uuids[rank].empty() || first == static_cast<std::ptrdiff_t>(rank)) continue;
    return "ranks " + std::to_string(first) + " and " + std::to_string(rank) +
           " have the same GPU, and each needs one of its own: fewer ranks_per_node, or more of CUDA_VISIBLE_DEVICES and of the "
           "job's GPUs";
  }
  return "";
}

}  // namespace ddpbench
