# NVTX is headers only: those of the CUDA toolkit, of the wheel beside torch, or none (then ranges cost and do nothing).
find_path(
  DDPBENCH_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
  HINTS "${DDPBENCH_TORCH_PREFIX}/../nvidia/cu13/include" "${DDPBENCH_TORCH_PREFIX}/../nvidia/nvtx/include"
        "$ENV{CUDA_HOME}/include" /usr/local/cuda/include)
if(DDPBENCH_NVTX_INCLUDE_DIR)
  message(STATUS "NVTX headers in ${DDPBENCH_NVTX_INCLUDE_DIR}")
  add_library(ddpbench_nvtx INTERFACE)
  target_include_directories(ddpbench_nvtx SYSTEM INTERFACE "${DDPBENCH_NVTX_INCLUDE_DIR}")
  target_link_libraries(ddpbench_nvtx INTERFACE ${CMAKE_DL_LIBS})
  set(DDPBENCH_NVTX_SOURCE nvtx_ranges.cpp)
else()
  message(STATUS "NVTX headers not found: ranges are built as no-ops")
  set(DDPBENCH_NVTX_SOURCE nvtx_absent.cpp)
endif()
