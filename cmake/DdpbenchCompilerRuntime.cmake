# A compiler that a site's module gives brings its own libstdc++, newer than the system's. Its folder is known while the module is loaded; a job begins
# with `module purge`. So what is built finds it by its run path.

# ddpbench_compiler_runtime(<out>): the compiler's libstdc++, or "" where the loader finds it by itself.
function(ddpbench_compiler_runtime out)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libstdc++.so.6 OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${out} "" PARENT_SCOPE)
  if(IS_ABSOLUTE "${library}" AND EXISTS "${library}")
    get_filename_component(folder "${library}/.." REALPATH)
    if(NOT folder MATCHES "^/(usr/)?lib(32|64)?(/[a-z0-9_]+-linux-gnu)?$")
      set(${out} "${folder}/libstdc++.so.6" PARENT_SCOPE)
    endif()
  endif()
endfunction()

ddpbench_compiler_runtime(DDPBENCH_COMPILER_RUNTIME)
if(DDPBENCH_COMPILER_RUNTIME)
  get_filename_component(ddpbench_runtime_folder "${DDPBENCH_COMPILER_RUNTIME}" DIRECTORY)
  target_link_options(ddpbench_build_options INTERFACE "LINKER:-rpath,${ddpbench_runtime_folder}")
  message(STATUS "The compiler's libstdc++ is found by run path: ${ddpbench_runtime_folder}")
endif()
