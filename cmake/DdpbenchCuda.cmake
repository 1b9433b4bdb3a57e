# What the module libddpbench_cuda needs: LibTorch's CUDA libraries, and the headers and libraries of CUDA's runtime and NCCL that came with
# them (wheels) or are on the machine. No toolkit and no GPU: we compile no device code.
#
# Gives the target ddpbench_cuda_libraries, or DDPBENCH_WHY_NO_CUDA where something is missing.
find_library(DDPBENCH_TORCH_CUDA_LIBRARY torch_cuda PATHS "${DDPBENCH_TORCH_PREFIX}/lib" NO_DEFAULT_PATH)
find_library(DDPBENCH_C10_CUDA_LIBRARY c10_cuda PATHS "${DDPBENCH_TORCH_PREFIX}/lib" NO_DEFAULT_PATH)

# The wheels' layout changes with CUDA's major version: nvidia/cu13/include holds all, before it each part had a folder.
file(GLOB ddpbench_cuda_include_dirs LIST_DIRECTORIES true "${DDPBENCH_TORCH_PREFIX}/../nvidia/*/include")
list(APPEND ddpbench_cuda_include_dirs "$ENV{CUDA_HOME}/include" /usr/local/cuda/include)
list(TRANSFORM ddpbench_cuda_include_dirs APPEND "/cccl" OUTPUT_VARIABLE ddpbench_cccl_include_dirs)  # since CUDA 13
find_path(DDPBENCH_CUDART_INCLUDE_DIR cuda_runtime_api.h HINTS ${ddpbench_cuda_include_dirs})
find_path(DDPBENCH_CRT_INCLUDE_DIR crt/host_config.h HINTS ${ddpbench_cuda_include_dirs})
find_path(DDPBENCH_NV_TARGET_INCLUDE_DIR nv/target HINTS ${ddpbench_cuda_include_dirs} ${ddpbench_cccl_include_dirs})
find_path(DDPBENCH_CUBLAS_INCLUDE_DIR cublas_v2.h HINTS ${ddpbench_cuda_include_dirs})
find_path(DDPBENCH_CUSPARSE_INCLUDE_DIR cusparse.h HINTS ${ddpbench_cuda_include_dirs})
find_path(DDPBENCH_CUSOLVER_INCLUDE_DIR cusolverDn.h HINTS ${ddpbench_cuda_include_dirs})
find_path(DDPBENCH_NCCL_INCLUDE_DIR nccl.h HINTS ${ddpbench_cuda_include_dirs})

# Wheels hold no name without a version, which find_library would look for. Those that came with LibTorch first: file(GLOB) sorts what it
# finds, so each place is asked by itself.
function(ddpbench_find_versioned result pattern)
  foreach(place "${DDPBENCH_TORCH_PREFIX}/../nvidia/*/lib" "${DDPBENCH_TORCH_PREFIX}/lib" "$ENV{CUDA_HOME}/lib64" /usr/local/cuda/lib64
                "/usr/lib/*-linux-gnu")
    file(GLOB found "${place}/${pattern}")
    if(found)
      list(GET found 0 first)
      set(${result} "${first}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
ddpbench_find_versioned(DDPBENCH_CUDART_LIBRARY "libcudart*.so.*")
ddpbench_find_versioned(DDPBENCH_NCCL_LIBRARY "libnccl.so.*")

set(DDPBENCH_WHY_NO_CUDA "")
foreach(part TORCH_CUDA_LIBRARY C10_CUDA_LIBRARY CUDART_INCLUDE_DIR CRT_INCLUDE_DIR NV_TARGET_INCLUDE_DIR CUBLAS_INCLUDE_DIR CUSPARSE_INCLUDE_DIR CUSOLVER_INCLUDE_DIR
             NCCL_INCLUDE_DIR CUDART_LIBRARY NCCL_LIBRARY)
  if(NOT DDPBENCH_${part})
    string(APPEND DDPBENCH_WHY_NO_CUDA " ${part}")
  endif()
endforeach()
if(DDPBENCH_WHY_NO_CUDA)
  set(DDPBENCH_WHY_NO_CUDA "this LibTorch was built or installed without CUDA (not found:${DDPBENCH_WHY_NO_CUDA})")
  message(STATUS "No backend nccl: ${DDPBENCH_WHY_NO_CUDA}")
  return()
endif()
message(STATUS "NCCL ${DDPBENCH_NCCL_LIBRARY}, CUDA runtime ${DDPBENCH_CUDART_LIBRARY}")

# The architectures that it has kernels for stand in the library as the flags that it was compiled with; asking it at run time
# (CUDAHooks::showConfig) fails where there is no driver.
execute_process(COMMAND grep -m1 -aoE -- "-gencode;arch=[A-Za-z0-9_,=;-]*" "${DDPBENCH_TORCH_CUDA_LIBRARY}" OUTPUT_VARIABLE ddpbench_cuda_flags)
string(REGEX REPLACE "[;\n]" " " DDPBENCH_CUDA_FLAGS "${ddpbench_cuda_flags}")

# Programs lie in bin/ or tests/, the module that they open beside them in lib/.
list(APPEND CMAKE_BUILD_RPATH "$ORIGIN/../lib")

add_library(ddpbench_cuda_libraries INTERFACE)
target_include_directories(
  ddpbench_cuda_libraries SYSTEM INTERFACE "${DDPBENCH_CUDART_INCLUDE_DIR}" "${DDPBENCH_CRT_INCLUDE_DIR}" "${DDPBENCH_NV_TARGET_INCLUDE_DIR}" "${DDPBENCH_CUBLAS_INCLUDE_DIR}" "${DDPBENCH_CUSPARSE_INCLUDE_DIR}"
                                           "${DDPBENCH_CUSOLVER_INCLUDE_DIR}" "${DDPBENCH_NCCL_INCLUDE_DIR}")
target_compile_definitions(ddpbench_cuda_libraries INTERFACE USE_C10D_NCCL)
target_link_libraries(
  ddpbench_cuda_libraries INTERFACE "${DDPBENCH_TORCH_CUDA_LIBRARY}" "${DDPBENCH_C10_CUDA_LIBRARY}" "${DDPBENCH_CUDART_LIBRARY}"
                                    "${DDPBENCH_NCCL_LIBRARY}")
# What is missing is found here and not when the module is opened on a machine with a GPU.
target_link_options(ddpbench_cuda_libraries INTERFACE "LINKER:-z,defs")
