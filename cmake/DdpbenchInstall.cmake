# `cmake --install build --prefix P` leaves a tree that runs from anywhere and may be moved as a whole: programs find their parts by
# $ORIGIN and beside themselves. Two things stay where the build found them: LibTorch (gigabytes of a wheel), by an absolute entry of the
# run path, and the Python that draws, by layout.json (or $DDPBENCH_PYTHON).

# ddpbench_install(<target> [<library file>…]): with the folders of these libraries, where the loader does not look by itself, in the run
# path. CMake's INSTALL_RPATH_USE_LINK_PATH would leave out those in the source folder, where bootstrap.sh puts the wheel.
function(ddpbench_install target)
  set(run_path "$ORIGIN/../lib")
  foreach(library IN LISTS ARGN)
    if(EXISTS "${library}")
      get_filename_component(folder "${library}/.." ABSOLUTE)
      list(APPEND run_path "${folder}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES run_path)
  list(REMOVE_ITEM run_path ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
  # In the build tree the same: CMake would fill a path that it is to change later with ':', which the loader takes for the working directory.
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${run_path}" BUILD_WITH_INSTALL_RPATH ON)
  install(TARGETS ${target} RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
endfunction()

# What `bootstrap.sh --deps` unpacked lies in no folder that the loader knows.
get_target_property(ddpbench_toml_library tomlplusplus::tomlplusplus LOCATION)
ddpbench_install(ddpbench "${ddpbench_toml_library}" ${ZLIB_LIBRARIES} "${DDPBENCH_LIBDEFLATE_LIBRARY}" "${DDPBENCH_LIBMD_LIBRARY}")
if(DDPBENCH_WITH_TORCH)
  ddpbench_install(ddpbench-worker "${DDPBENCH_TORCH_CPU_LIBRARY}" ${ZLIB_LIBRARIES} "${DDPBENCH_LIBDEFLATE_LIBRARY}" "${DDPBENCH_LIBMD_LIBRARY}")
endif()
if(TARGET ddpbench_cuda)
  ddpbench_install(ddpbench_cuda "${DDPBENCH_TORCH_CUDA_LIBRARY}" "${DDPBENCH_CUDART_LIBRARY}" "${DDPBENCH_NCCL_LIBRARY}")
endif()
install(DIRECTORY "${DDPBENCH_SHARE_DIR}/" DESTINATION share/ddpbench PATTERN __pycache__ EXCLUDE)
