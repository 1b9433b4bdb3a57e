#include "suite/base/process_facts.hpp"

#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/node_layout.hpp"

extern char** environ;

namespace ddpbench {
namespace {

constexpr std::array<std::string_view, 17> kPrefixes{"OMP_",      "KMP_",  "MKL_",       "GLOO_",  "NCCL_",        "TORCH_",
                                                     "SLURM_",    "CUDA_", "CUBLAS_",    "CUDNN_", "NVIDIA_TF32_", "PYTORCH_",
                                                     "OMPI_MCA_", "UCX_",  "MPIR_CVAR_", "I_MPI_", "FI_"};
// What mpirun itself tells its processes of a launch: ports, folders, ranks. Open MPI 4, Hydra of MPICH 4 and Intel MPI 2021.
constexpr std::array<std::string_view, 3> kOwnPrefixesOfMpirun{"OMPI_MCA_orte_", "I_MPI_HYDRA_", "I_MPI_INFO_"};
constexpr std::array<std::string_view, 7> kOwnOfMpirun{
    "OMPI_MCA_ess",          "OMPI_MCA_ess_base_jobid",           "OMPI_MCA_ess_base_vpid",          "OMPI_MCA_pmix",
    "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME_QUERY_hint", "MPIR_CVAR_CH3_INTERFACE_HOSTNAME"};
// A pass to the batch system, not a fact.
constexpr std::string_view kSecretPart = "JWT";

std::string first_word(const char* path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// "always [madvise] never" -> "madvise"
std::string chosen_word(const char* path) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  }
  return "";
}

// "0-3 8", and the memory nodes that these lie on.
void add_cores(std::map<std::string, std::string>& facts) {
  try {
    const auto cores = allowed_cores();
    facts["allowed_cores"] = list_of_numbers(cores, ' ');
    facts["memory_nodes"] = list_of_numbers(memory_nodes_of(core_layout(cores)));
  } catch (const Error&) {  // the system does not say
  }
}

}  // namespace

std::string value_in(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name, 0) != 0) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

std::map<std::string, std::string> process_facts() {
  utsname system{};
  ::uname(&system);
  std::map<std::string, std::string> facts{
      {"host", system.nodename},
      {"kernel", std::string(system.sysname) + " " + system.release},
      {"libc", gnu_get_libc_version()},
      {"cpu_model", value_in("/proc/cpuinfo", "model name")},
      {"cpu_mhz", value_in("/proc/cpuinfo", "cpu MHz")},
      {"governor", first_word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"cores", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
      {"transparent_hugepage", chosen_word("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load", first_word("/proc/loadavg")},
  };
  add_cores(facts);
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
}

std::map<std::string, std::string> steering_variables() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('='));
    const auto is_prefix = [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
    const bool is_mpiruns = std::any_of(kOwnPrefixesOfMpirun.begin(), kOwnPrefixesOfMpirun.end(), is_prefix) ||
                            std::find(kOwnOfMpirun.begin(), kOwnOfMpirun.end(), name) != kOwnOfMpirun.end();
    const bool relevant = std::any_of(kPrefixes.begin(), kPrefixes.end(), is_prefix) && !is_mpiruns && name != text;
    if (relevant && name.find(kSecretPart) == std::string_view::npos) variables[std::string(name)] = text.substr(name.size() + 1);
  }
  return variables;
}

}  // namespace ddpbench
