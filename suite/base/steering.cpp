#include "suite/base/steering.hpp"

#include <algorithm>
#include <array>

extern char** environ;

namespace ddpbench {
namespace {

constexpr bool kBeginning = true;

constexpr std::array kRules{
    // Where a rank's threads run, and how many there are.
    SteeringRule{"OMP_NUM_THREADS", Fate::kSet},
    SteeringRule{"OMP_PROC_BIND", Fate::kCleared},
    SteeringRule{"OMP_PLACES", Fate::kCleared},
    SteeringRule{"OMP_THREAD_LIMIT", Fate::kCleared},
    SteeringRule{"OMP_DYNAMIC", Fate::kCleared},
    SteeringRule{"GOMP_CPU_AFFINITY", Fate::kCleared},
    SteeringRule{"KMP_AFFINITY", Fate::kCleared},
    SteeringRule{"KMP_HW_SUBSET", Fate::kCleared},
    SteeringRule{"KMP_PLACE_THREADS", Fate::kCleared},
    SteeringRule{"KMP_ALL_THREADS", Fate::kCleared},
    SteeringRule{"KMP_DEVICE_THREAD_LIMIT", Fate::kCleared},
    SteeringRule{"MKL_NUM_THREADS", Fate::kCleared},
    SteeringRule{"MKL_DOMAIN_NUM_THREADS", Fate::kCleared},
    SteeringRule{"MKL_DYNAMIC", Fate::kCleared},
    // torchrun reads each of its options from PET_NAME, too.
    SteeringRule{"PET_", Fate::kOfTorchrun, kBeginning},
    // The user's own wishes, that srun and mpirun read in the job.
    SteeringRule{"SLURM_MPI_TYPE", Fate::kRecorded},
    SteeringRule{"I_MPI_HYDRA_BOOTSTRAP", Fate::kRecorded, kBeginning},
    SteeringRule{"I_MPI_HYDRA_IFACE", Fate::kRecorded},
    SteeringRule{"PMI_MMAP_SYNC_WAIT_TIME", Fate::kRecorded},
    // How to reach Slurm.
    SteeringRule{"SLURM_CONF", Fate::kPassed, kBeginning},
    SteeringRule{"SLURM_CLUSTERS", Fate::kPassed},
    SteeringRule{"SLURM_JWT", Fate::kPassed, kBeginning},
    SteeringRule{"SLURM_SACK_JWKS", Fate::kPassed},
    // srun(1), "INPUT ENVIRONMENT VARIABLES": what a job was asked for is none of a step's options, and a session's still less. SLURM_CPUS_PER_TASK is
    // no option of srun's since 22.05, and Open MPI counts its slots by it.
    SteeringRule{"SRUN_", Fate::kOfStep, kBeginning},
    SteeringRule{"SLURM_MEM_PER_", Fate::kOfStep, kBeginning},
    SteeringRule{"SLURM_CPU_BIND", Fate::kOfStep, kBeginning},
    SteeringRule{"SLURM_MEM_BIND", Fate::kOfStep, kBeginning},
    SteeringRule{"SLURM_DISTRIBUTION", Fate::kOfStep},
    SteeringRule{"SLURM_HINT", Fate::kOfStep},
    SteeringRule{"SLURM_NTASKS_PER_", Fate::kOfStep, kBeginning},
    SteeringRule{"SLURM_THREADS_PER_CORE", Fate::kOfStep},
    SteeringRule{"SLURM_CORE_SPEC", Fate::kOfStep},
    SteeringRule{"SLURM_TRES_PER_TASK", Fate::kOfStep},
    SteeringRule{"SLURM_EXACT", Fate::kOfStep},
    SteeringRule{"SLURM_EXCLUSIVE", Fate::kOfStep},
    SteeringRule{"SLURM_CONSTRAINT", Fate::kOfStep},
    SteeringRule{"SLURM_OPEN_MODE", Fate::kOfStep},
    SteeringRule{"SLURM_LABELIO", Fate::kOfStep},
    SteeringRule{"SLURM_UNBUFFEREDIO", Fate::kOfStep},
    SteeringRule{"SLURM_WAIT", Fate::kOfStep},
    SteeringRule{"SLURM_TIMELIMIT", Fate::kOfStep},
    SteeringRule{"SLURM_WORKING_DIR", Fate::kOfStep},
    // What Slurm tells each task, step and node.
    SteeringRule{"SLURM_PROCID", Fate::kOfTask},
    SteeringRule{"SLURM_LOCALID", Fate::kOfTask},
    SteeringRule{"SLURM_NODEID", Fate::kOfTask},
    SteeringRule{"SLURM_GTIDS", Fate::kOfTask},
    SteeringRule{"SLURM_TASK_PID", Fate::kOfTask},
    SteeringRule{"SLURMD_", Fate::kOfTask, kBeginning},
    SteeringRule{"SLURM_TOPOLOGY_ADDR", Fate::kOfTask, kBeginning},
    SteeringRule{"SLURM_LAUNCH_NODE_IPADDR", Fate::kOfTask},
    SteeringRule{"SLURM_SRUN_COMM_", Fate::kOfTask, kBeginning},
    SteeringRule{"SLURM_STEP", Fate::kOfTask, kBeginning},
    SteeringRule{"SLURM_PMIX", Fate::kOfTask, kBeginning},
    SteeringRule{"SLURM_", Fate::kOfSession, kBeginning},
    SteeringRule{"SBATCH_", Fate::kOfSession, kBeginning},
    // What mpirun tells each of its processes: ports, folders, ranks. Open MPI 4, Hydra of MPICH 4 and Intel MPI 2021.
    SteeringRule{"OMPI_COMM_WORLD_", Fate::kOfTask, kBeginning},
    SteeringRule{"OMPI_MCA_orte_", Fate::kOfTask, kBeginning},
    SteeringRule{"OMPI_MCA_ess", Fate::kOfTask},
    SteeringRule{"OMPI_MCA_ess_base_jobid", Fate::kOfTask},
    SteeringRule{"OMPI_MCA_ess_base_vpid", Fate::kOfTask},
    SteeringRule{"OMPI_MCA_pmix", Fate::kOfTask},
    SteeringRule{"OMPI_MCA_initial_wdir", Fate::kOfTask},
    SteeringRule{"OMPI_MCA_shmem_RUNTIME_QUERY_hint", Fate::kOfTask},
    SteeringRule{"I_MPI_HYDRA_", Fate::kOfTask, kBeginning},
    SteeringRule{"I_MPI_INFO_", Fate::kOfTask, kBeginning},
    SteeringRule{"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", Fate::kOfTask},
    SteeringRule{"PMI_", Fate::kOfTask, kBeginning},
    SteeringRule{"PMIX_MCA_", Fate::kRecorded, kBeginning},
    SteeringRule{"PMIX_", Fate::kOfTask, kBeginning},
    // What steers the libraries.
    SteeringRule{"OMP_", Fate::kRecorded, kBeginning},
    SteeringRule{"GOMP_", Fate::kRecorded, kBeginning},
    SteeringRule{"KMP_", Fate::kRecorded, kBeginning},
    SteeringRule{"MKL_", Fate::kRecorded, kBeginning},
    SteeringRule{"OPENBLAS_", Fate::kRecorded, kBeginning},
    SteeringRule{"GLOO_", Fate::kRecorded, kBeginning},
    SteeringRule{"NCCL_", Fate::kRecorded, kBeginning},
    SteeringRule{"TORCH_", Fate::kRecorded, kBeginning},
    SteeringRule{"PYTORCH_", Fate::kRecorded, kBeginning},
    SteeringRule{"CUDA_", Fate::kRecorded, kBeginning},
    SteeringRule{"CUBLAS_", Fate::kRecorded, kBeginning},
    SteeringRule{"CUDNN_", Fate::kRecorded, kBeginning},
    SteeringRule{"NVIDIA_TF32_", Fate::kRecorded, kBeginning},
    SteeringRule{"OMPI_MCA_", Fate::kRecorded, kBeginning},
    SteeringRule{"PRTE_MCA_", Fate::kRecorded, kBeginning},
    SteeringRule{"UCX_", Fate::kRecorded, kBeginning},
    SteeringRule{"MPIR_CVAR_", Fate::kRecorded, kBeginning},
    SteeringRule{"I_MPI_", Fate::kRecorded, kBeginning},
    SteeringRule{"FI_", Fate::kRecorded, kBeginning},
    SteeringRule{"LD_PRELOAD", Fate::kRecorded},
    SteeringRule{"MALLOC_", Fate::kRecorded, kBeginning},
    SteeringRule{"GLIBC_TUNABLES", Fate::kRecorded},
};

constexpr std::array<std::string_view, 2> kSubmitting{"sbatch", "qsub"};
constexpr std::array<std::string_view, 6> kStarting{"srun", "mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_withheld(Fate fate) { return fate == Fate::kCleared || fate == Fate::kOfTorchrun; }
bool is_a_fact(Fate fate) { return fate != Fate::kPassed && fate != Fate::kOfTask && !is_withheld(fate); }

template <class Wanted>
std::map<std::string, std::string> own_variables(Wanted is_wanted) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('='));
    if (name != text && is_wanted(fate_of(name))) variables[std::string(name)] = text.substr(name.size() + 1);
  }
  return variables;
}

}  // namespace

std::span<const SteeringRule> steering_rules() { return kRules; }

Fate fate_of(std::string_view variable) {
  const auto rule = std::find_if(kRules.begin(), kRules.end(), [&](const SteeringRule& one) {
    return one.is_beginning ? variable.starts_with(one.name) : variable == one.name;
  });
  return rule == kRules.end() ? Fate::kPassed : rule->fate;
}

bool is_submitting(std::string_view program) { return is_one_of(kSubmitting, program); }

bool is_handed_on(std::string_view variable, std::string_view program) {
  const auto fate = fate_of(variable);
  if (is_withheld(fate)) return false;
  const bool submits = is_submitting(program);
  if (fate == Fate::kOfStep) return !submits && !is_one_of(kStarting, program);
  return !submits || (fate != Fate::kOfSession && fate != Fate::kOfTask);
}

std::map<std::string, std::string> steering_variables() { return own_variables(is_a_fact); }

std::map<std::string, std::string> withheld_variables() { return own_variables(is_withheld); }

std::map<std::string, std::string> variables_of(Fate fate) {
  return own_variables([fate](Fate other) { return other == fate; });
}

}  // namespace ddpbench
