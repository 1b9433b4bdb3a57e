#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ddpbench {

struct CudaDevice {
  std::string name;
  int sm = 0;          // compute capability as one number: 90 is 9.0
  std::string uuid{};  // 32 hexadecimal digits, of a part of a device too (MIG); "" where the driver does not say
};

// What the driver says: asked of libcuda.so.1 itself, so that a host without a GPU need not load LibTorch's CUDA libraries.
struct CudaDriver {
  std::string why_none;             // "" where it answered
  int version = 0;                  // the newest runtime that it serves, 13000 is CUDA 13.0
  std::vector<CudaDevice> devices;  // those that this process may use (CUDA_VISIBLE_DEVICES)
  std::string release{};            // "580.159.04"; "" where the system does not say
};
CudaDriver read_cuda_driver();

// What LibTorch's CUDA part says of itself; needs no GPU, but half a second to load.
struct CudaLibraries {
  int runtime = 0;        // 13000
  std::string nccl;       // "2.28.9"
  std::string nccl_path;  // of the library that the dynamic linker really took
  std::vector<std::string>
      architectures;    // that it has kernels for: "sm_90", "compute_90" (compiled when first used); empty: not known
  std::string cudnn{};  // "9.19.0"
};

// "13.0" of 13000.
std::string cuda_version_text(int version);

// "sm_75", "compute_90" … of nvcc's flags (-gencode arch=compute_75,code=sm_75 …), in their order.
std::vector<std::string> architectures_in(const std::string& nvcc_flags);

// "9.19.0" of 91900, "2.28.9" of 22809: as cuDNN counts since its release 9, and NCCL since 2.9.
std::string release_text(std::int64_t version);

// What a rank's times on a device depend on, by the keys that launches are compared by: gpu, driver, cuda, cudnn, nccl. What is not known
// has no key.
std::map<std::string, std::string> gpu_facts(const CudaDriver& driver, const CudaLibraries& libraries, std::int64_t device);

// "" where every visible device can run this LibTorch, else why not: no driver, no GPU.
std::string why_no_device(const CudaDriver& driver);

// The same of driver and libraries together: a driver too old for the runtime, an architecture without kernels.
std::string why_unfit(const CudaDriver& driver, const CudaLibraries& libraries);

// "" where every visible device is of `least_sm` or newer, else the one that is not.
std::string why_too_old(const CudaDriver& driver, int least_sm);

// The device of a rank: its local rank among the visible ones; where a launcher shows each rank one alone (--gpus-per-task=1), that one.
// Throws UsageError where there are fewer.
std::int64_t choose_device(std::int64_t local_rank, const CudaDriver& driver);

// "" where no two ranks have the same device, else which. `uuids`: by rank; empty ones are passed over.
std::string why_shared(const std::vector<std::string>& uuids);

}  // namespace ddpbench
