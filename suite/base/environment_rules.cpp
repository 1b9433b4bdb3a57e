#include "suite/base/environment_rules.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace ddpbench {
namespace {

constexpr bool kBeginning = true;

constexpr std::array kRules{
    // Where a rank's threads run, and how many there are.
    EnvironmentRule{"OMP_NUM_THREADS", EnvironmentPolicy::kSet},
    EnvironmentRule{"OMP_PROC_BIND", EnvironmentPolicy::kCleared},
    EnvironmentRule{"OMP_PLACES", EnvironmentPolicy::kCleared},
    EnvironmentRule{"OMP_THREAD_LIMIT", EnvironmentPolicy::kCleared},
    EnvironmentRule{"OMP_DYNAMIC", EnvironmentPolicy::kCleared},
    EnvironmentRule{"GOMP_CPU_AFFINITY", EnvironmentPolicy::kCleared},
    EnvironmentRule{"KMP_AFFINITY", EnvironmentPolicy::kCleared},
    EnvironmentRule{"KMP_HW_SUBSET", EnvironmentPolicy::kCleared},
    EnvironmentRule{"KMP_PLACE_THREADS", EnvironmentPolicy::kCleared},
    EnvironmentRule{"KMP_ALL_THREADS", EnvironmentPolicy::kCleared},
    EnvironmentRule{"KMP_DEVICE_THREAD_LIMIT", EnvironmentPolicy::kCleared},
    EnvironmentRule{"MKL_NUM_THREADS", EnvironmentPolicy::kCleared},
    EnvironmentRule{"MKL_DOMAIN_NUM_THREADS", EnvironmentPolicy::kCleared},
    EnvironmentRule{"MKL_DYNAMIC", EnvironmentPolicy::kCleared},
    // torchrun reads each of its options from PET_NAME, too.
    EnvironmentRule{"PET_", EnvironmentPolicy::kOfTorchrun, kBeginning},
    // The user's own wishes, that srun and mpirun read in the job.
    EnvironmentRule{"SLURM_MPI_TYPE", EnvironmentPolicy::kRecorded},
    EnvironmentRule{"I_MPI_HYDRA_BOOTSTRAP", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"I_MPI_HYDRA_IFACE", EnvironmentPolicy::kRecorded},
    EnvironmentRule{"PMI_MMAP_SYNC_WAIT_TIME", EnvironmentPolicy::kRecorded},
    // How to reach Slurm.
    EnvironmentRule{"SLURM_CONF", EnvironmentPolicy::kPassed, kBeginning},
    EnvironmentRule{"SLURM_CLUSTERS", EnvironmentPolicy::kPassed},
    EnvironmentRule{"SLURM_JWT", EnvironmentPolicy::kPassed, kBeginning},
    EnvironmentRule{"SLURM_SACK_JWKS", EnvironmentPolicy::kPassed},
    // srun(1), "INPUT ENVIRONMENT VARIABLES": what a job was asked for is none of a step's options, and a session's still less. SLURM_CPUS_PER_TASK is
    // no option of srun's since 22.05, and Open MPI counts its slots by it.
    EnvironmentRule{"SRUN_", EnvironmentPolicy::kOfStep, kBeginning},
    EnvironmentRule{"SLURM_MEM_PER_", EnvironmentPolicy::kOfStep, kBeginning},
    EnvironmentRule{"SLURM_CPU_BIND", EnvironmentPolicy::kOfStep, kBeginning},
    EnvironmentRule{"SLURM_MEM_BIND", EnvironmentPolicy::kOfStep, kBeginning},
    EnvironmentRule{"SLURM_DISTRIBUTION", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_HINT", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_NTASKS_PER_", EnvironmentPolicy::kOfStep, kBeginning},
    EnvironmentRule{"SLURM_THREADS_PER_CORE", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_CORE_SPEC", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_TRES_PER_TASK", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_EXACT", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_EXCLUSIVE", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_CONSTRAINT", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_OPEN_MODE", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_LABELIO", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_UNBUFFEREDIO", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_WAIT", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_TIMELIMIT", EnvironmentPolicy::kOfStep},
    EnvironmentRule{"SLURM_WORKING_DIR", EnvironmentPolicy::kOfStep},
    // What Slurm tells each task, step and node.
    EnvironmentRule{"SLURM_PROCID", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"SLURM_LOCALID", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"SLURM_NODEID", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"SLURM_GTIDS", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"SLURM_TASK_PID", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"SLURMD_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"SLURM_TOPOLOGY_ADDR", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"SLURM_LAUNCH_NODE_IPADDR", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"SLURM_SRUN_COMM_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"SLURM_STEP", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"SLURM_PMIX", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"SLURM_", EnvironmentPolicy::kOfSession, kBeginning},
    EnvironmentRule{"SBATCH_", EnvironmentPolicy::kOfSession, kBeginning},
    // What mpirun tells each of its processes: ports, folders, ranks. Open MPI 4, Hydra of MPICH 4 and Intel MPI 2021.
    EnvironmentRule{"OMPI_COMM_WORLD_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"OMPI_MCA_orte_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"OMPI_MCA_ess", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"OMPI_MCA_ess_base_jobid", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"OMPI_MCA_ess_base_vpid", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"OMPI_MCA_pmix", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"OMPI_MCA_initial_wdir", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"OMPI_MCA_shmem_RUNTIME_QUERY_hint", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"I_MPI_HYDRA_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"I_MPI_INFO_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"PMI_", EnvironmentPolicy::kOfTask, kBeginning},
    EnvironmentRule{"PMIX_MCA_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"PMIX_", EnvironmentPolicy::kOfTask, kBeginning},
    // What steers the libraries.
    EnvironmentRule{"OMP_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"GOMP_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"KMP_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"MKL_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"OPENBLAS_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"GLOO_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"NCCL_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"TORCH_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"PYTORCH_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"CUDA_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"CUBLAS_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"CUDNN_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"NVIDIA_TF32_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"OMPI_MCA_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"PRTE_MCA_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"UCX_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"MPIR_CVAR_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"I_MPI_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"FI_", EnvironmentPolicy::kRecorded, kBeginning},
    // By which a profiler comes in: each step then costs what it records. The session's number is another for each rank.
    EnvironmentRule{"NVTX_INJECTION", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"NSYS_PROFILING_SESSION_ID", EnvironmentPolicy::kOfTask},
    EnvironmentRule{"NSYS_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"KINETO_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"LD_PRELOAD", EnvironmentPolicy::kRecorded},
    EnvironmentRule{"MALLOC_", EnvironmentPolicy::kRecorded, kBeginning},
    EnvironmentRule{"GLIBC_TUNABLES", EnvironmentPolicy::kRecorded},
};

constexpr std::array<std::string_view, 2> kSubmitting{"sbatch", "qsub"};
constexpr std::array<std::string_view, 6> kStarting{"srun", "mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_withheld(EnvironmentPolicy policy) {
  return policy == EnvironmentPolicy::kCleared || policy == EnvironmentPolicy::kOfTorchrun;
}
bool is_a_fact(EnvironmentPolicy policy) {
  return policy != EnvironmentPolicy::kPassed && policy != EnvironmentPolicy::kOfTask && !is_withheld(policy);
}

template <class Wanted>
std::map<std::string, std::string> own_variables(Wanted is_wanted) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('='));
    if (name != text && is_wanted(policy_of(name))) variables[std::string(name)] = text.substr(name.size() + 1);
  }
  return variables;
}

}  // namespace

std::span<const EnvironmentRule> steering_rules() { return kRules; }

EnvironmentPolicy policy_of(std::string_view variable) {
  const auto rule = std::find_if(kRules.begin(), kRules.end(), [&](const EnvironmentRule& one) {
    return one.is_beginning ? variable.starts_with(one.name) : variable == one.name;
  });
  return rule == kRules.end() ? EnvironmentPolicy::kPassed : rule->policy;
}

bool is_submitting(std::string_view program) { return is_one_of(kSubmitting, program); }

bool is_handed_on(std::string_view variable, std::string_view program) {
  const auto policy = policy_of(variable);
  if (is_withheld(policy)) return false;
  const bool submits = is_submitting(program);
  if (policy == EnvironmentPolicy::kOfStep) return !submits && !is_one_of(kStarting, program);
  return !submits || (policy != EnvironmentPolicy::kOfSession && policy != EnvironmentPolicy::kOfTask);
}

std::map<std::string, std::string> steering_variables() { return own_variables(is_a_fact); }

std::map<std::string, std::string> withheld_variables() { return own_variables(is_withheld); }

std::map<std::string, std::string> variables_of(EnvironmentPolicy policy) {
  return own_variables([policy](EnvironmentPolicy other) { return other == policy; });
}

}  // namespace ddpbench
