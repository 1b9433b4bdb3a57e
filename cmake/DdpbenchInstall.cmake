# `cmake --install build --prefix P` leaves a tree that runs from anywhere and may be moved as a whole: programs find their parts by
# $ORIGIN and beside themselves. Two things stay where the build found them: LibTorch (gigabytes of a wheel), by an absolute entry of the
# run path, and the Python that draws, by layout.json (or $DDPBENCH_PYTHON).

# ddpbench_install(<target> [<library file>…]): the folders of these libraries stand in the run path.
function(ddpbench_install target)
  ddpbench_run_path(${target} "$ORIGIN/../lib" ${ARGN})
  install(TARGETS ${target} RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
endfunction()

# What `bootstrap.sh --deps` unpacked lies in no folder that the loader knows.
ddpbench_install(ddpbench ${DDPBENCH_TOML_LIBRARY} ${DDPBENCH_PLAIN_LIBRARIES})
if(DDPBENCH_WITH_TORCH)
  ddpbench_install(ddpbench-worker "${DDPBENCH_TORCH_CPU_LIBRARY}" ${DDPBENCH_PLAIN_LIBRARIES})
endif()
if(TARGET ddpbench_cuda)
  ddpbench_install(ddpbench_cuda "${DDPBENCH_TORCH_CUDA_LIBRARY}" "${DDPBENCH_CUDART_LIBRARY}" "${DDPBENCH_NCCL_LIBRARY}")
endif()
if(TARGET ddpbench_mpi)
  ddpbench_install(ddpbench_mpi "${DDPBENCH_TORCH_CPU_LIBRARY}" ${MPI_CXX_LIBRARIES})
endif()
install(DIRECTORY "${DDPBENCH_SHARE_DIR}/" DESTINATION share/ddpbench PATTERN __pycache__ EXCLUDE)
