#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ddpbench {

// Describes one GPU that the driver shows.
struct CudaDevice {
  std::string name;
  int sm = 0;          // compute capability as one number: 90 is 9.0
  std::string uuid{};  // 32 hexadecimal digits, of a part of a device too (MIG); "" where the driver does not say
};

// Holds what the driver says. It is asked of libcuda.so.1 itself, so that a host without a GPU need not load LibTorch's CUDA
// libraries.
struct CudaDriver {
  std::string why_none;             // "" where it answered
  int version = 0;                  // the newest runtime that it serves, 13000 is CUDA 13.0
  std::vector<CudaDevice> devices;  // those that this process may use (CUDA_VISIBLE_DEVICES)
  std::string release{};            // "580.159.04"; "" where the system does not say
};
// Asks the driver; throws nothing: `why_none` says why it does not answer.
CudaDriver read_cuda_driver();

// Holds what LibTorch's CUDA part says of itself; needs no GPU, but half a second to load.
struct CudaLibraries {
  int runtime = 0;        // 13000
  std::string nccl;       // "2.28.9"
  std::string nccl_path;  // of the library that the dynamic linker really took
  std::vector<std::string>
      architectures;    // that it has kernels for: "sm_90", "compute_90" (compiled when first used); empty: not known
  std::string cudnn{};  // "9.19.0"
};

// Returns "13.0" for 13000.
std::string cuda_version_text(int version);

// Returns "sm_75", "compute_90" … of nvcc's flags (-gencode arch=compute_75,code=sm_75 …), in their order.
std::vector<std::string> architectures_in(const std::string& nvcc_flags);

// Returns "9.19.0" for 91900, "2.28.9" for 22809: as cuDNN counts since its release 9, and NCCL since 2.9.
std::string release_text(std::int64_t version);

// Returns what a rank's times on a device depend on, by the keys that launches are compared by: gpu, driver, cuda, cudnn, nccl.
// Leaves out what is not known.
std::map<std::string, std::string> gpu_facts(const CudaDriver& driver, const CudaLibraries& libraries, std::int64_t device);

// Returns "" where this process sees a GPU, else why not: no driver, no GPU.
std::string why_no_device(const CudaDriver& driver);

// Returns "" where every visible device can run this LibTorch, else why not: also a driver too old for the runtime, an
// architecture without kernels.
std::string why_unfit(const CudaDriver& driver, const CudaLibraries& libraries);

// Returns "" where every visible device is of `least_sm` or newer, else names the one that is not.
std::string why_too_old(const CudaDriver& driver, std::int64_t least_sm);

// Returns the device of a rank: its local rank among the visible ones; where a launcher shows each rank one alone
// (--gpus-per-task=1), that one. Throws UsageError where there are fewer.
std::int64_t choose_device(std::int64_t local_rank, const CudaDriver& driver);

// Returns "" where no two ranks have the same device, else says which. `uuids`: by rank; empty ones are passed over.
std::string why_shared(const std::vector<std::string>& uuids);

}  // namespace ddpbench
