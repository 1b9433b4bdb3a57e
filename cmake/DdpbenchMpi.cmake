# What the module libddpbench_mpi needs: an MPI library for C, whichever CMake finds first (Open MPI, MPICH). Its C++ bindings are not used.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  message(STATUS "MPI ${MPI_CXX_VERSION}: ${MPI_CXX_LIBRARIES}")
else()
  message(STATUS "No backend mpi: no MPI library (Debian: libopenmpi-dev)")
endif()
