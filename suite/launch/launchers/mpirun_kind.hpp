#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// Two programs are called mpirun, and differ in their options: Open MPI's, and Hydra, that of MPICH, Intel MPI and MVAPICH.
enum class MpirunKind { kOpenMpi, kHydra };

// From what `mpirun --version` says. What is not known is taken for Open MPI's.
MpirunKind mpirun_kind_in(std::string_view version);

// The one in $PATH.
struct InstalledMpirun {
  MpirunKind kind = MpirunKind::kOpenMpi;
  std::string why_not;  // it cannot be used; "": it can
};

// Asked once. Does not throw.
const InstalledMpirun& installed_mpirun();

}  // namespace ddpbench
