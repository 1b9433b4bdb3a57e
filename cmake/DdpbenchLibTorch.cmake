# LibTorch from the wheel or from an installed prefix, as imported targets of our own: Torch's package file insists on a CUDA toolkit
# that a host without one does not have, and we compile no device code.
#
# Gives ddpbench_torch (headers as SYSTEM, libraries, run path), DDPBENCH_TORCH_VERSION, and ddpbench_torch_library().
if(NOT DDPBENCH_TORCH_PREFIX)
  message(FATAL_ERROR "DDPBENCH_TORCH_PREFIX is not set. `./bootstrap.sh build` sets it; or give the folder of an installed torch "
                      "package (it holds include/ and lib/); or -DDDPBENCH_WITH_TORCH=OFF for the Torch-free half.")
endif()

set(ddpbench_torch_include "${DDPBENCH_TORCH_PREFIX}/include")
if(NOT EXISTS "${ddpbench_torch_include}/torch/csrc/api/include/torch/torch.h")
  message(FATAL_ERROR "DDPBENCH_TORCH_PREFIX=${DDPBENCH_TORCH_PREFIX} holds no include/torch/csrc/api/include/torch/torch.h")
endif()
# The header moved between releases.
find_file(ddpbench_torch_version_header version.h PATHS "${ddpbench_torch_include}/torch/headeronly"
          "${ddpbench_torch_include}/torch/csrc/api/include/torch" NO_DEFAULT_PATH NO_CACHE REQUIRED)
file(STRINGS "${ddpbench_torch_version_header}" ddpbench_torch_version_lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9;]*([0-9]+)" "\\1" ddpbench_torch_version_numbers "${ddpbench_torch_version_lines}")
list(JOIN ddpbench_torch_version_numbers "." DDPBENCH_TORCH_VERSION)
message(STATUS "LibTorch ${DDPBENCH_TORCH_VERSION} in ${DDPBENCH_TORCH_PREFIX}")

find_library(DDPBENCH_TORCH_CPU_LIBRARY torch_cpu PATHS "${DDPBENCH_TORCH_PREFIX}/lib" NO_DEFAULT_PATH REQUIRED)
find_library(DDPBENCH_C10_LIBRARY c10 PATHS "${DDPBENCH_TORCH_PREFIX}/lib" NO_DEFAULT_PATH REQUIRED)

add_library(ddpbench_torch INTERFACE)
target_include_directories(ddpbench_torch SYSTEM INTERFACE "${ddpbench_torch_include}" "${ddpbench_torch_include}/kineto"
                                                           "${ddpbench_torch_include}/torch/csrc/api/include")
# libtorch_cpu needs libraries that only its own RPATH finds (cudart, cupti); the linker need not see them.
target_link_options(ddpbench_torch INTERFACE "LINKER:--allow-shlib-undefined")
target_link_libraries(ddpbench_torch INTERFACE "${DDPBENCH_TORCH_CPU_LIBRARY}" "${DDPBENCH_C10_LIBRARY}" Threads::Threads)

# torch.h takes 18 s a file; precompiled once here, and shared by every target that sees it.
add_library(ddpbench_torch_header OBJECT "${CMAKE_SOURCE_DIR}/harness/api/torch_header.cpp")
target_link_libraries(ddpbench_torch_header PUBLIC ddpbench_build_options ddpbench_torch)
target_precompile_headers(ddpbench_torch_header PRIVATE "${CMAKE_SOURCE_DIR}/harness/api/torch.hpp")

# ddpbench_torch_library(<name> SOURCES … [LINK …])
function(ddpbench_torch_library name)
  ddpbench_library(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC ddpbench_torch)
  target_precompile_headers(${name} REUSE_FROM ddpbench_torch_header)
endfunction()
