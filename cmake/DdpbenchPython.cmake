# What the extension module needs beside LibTorch: Python.h of the interpreter that will host it, and LibTorch's own Python library.
#
# Gives the target ddpbench_torch_python and DDPBENCH_PYTHON_SUFFIX (".cpython-311-x86_64-linux-gnu.so"), or DDPBENCH_WHY_NO_PYTHON_ARMS.
set(DDPBENCH_WHY_NO_PYTHON_ARMS "")
find_library(DDPBENCH_TORCH_PYTHON_LIBRARY torch_python PATHS "${DDPBENCH_TORCH_PREFIX}/lib" NO_DEFAULT_PATH)
if(NOT DDPBENCH_PYTHON)
  set(DDPBENCH_WHY_NO_PYTHON_ARMS "DDPBENCH_PYTHON is not set")
elseif(NOT DDPBENCH_TORCH_PYTHON_LIBRARY)
  set(DDPBENCH_WHY_NO_PYTHON_ARMS "${DDPBENCH_TORCH_PREFIX}/lib holds no libtorch_python")
else()
  execute_process(
    COMMAND "${DDPBENCH_PYTHON}" -E -c
            "import sysconfig as s; print(s.get_paths()['include'], s.get_config_var('EXT_SUFFIX'), sep=';', end='')"
    OUTPUT_VARIABLE ddpbench_python_facts COMMAND_ERROR_IS_FATAL ANY)
  list(GET ddpbench_python_facts 0 ddpbench_python_include)
  list(GET ddpbench_python_facts 1 DDPBENCH_PYTHON_SUFFIX)
  if(NOT EXISTS "${ddpbench_python_include}/Python.h")
    set(DDPBENCH_WHY_NO_PYTHON_ARMS "${ddpbench_python_include} holds no Python.h (Debian's python3-dev)")
  endif()
endif()

if(DDPBENCH_WHY_NO_PYTHON_ARMS)
  message(STATUS "arms in Python are left out: ${DDPBENCH_WHY_NO_PYTHON_ARMS}")
else()
  add_library(ddpbench_torch_python INTERFACE)
  target_include_directories(ddpbench_torch_python SYSTEM INTERFACE "${ddpbench_python_include}")
  target_link_libraries(ddpbench_torch_python INTERFACE ddpbench_torch "${DDPBENCH_TORCH_PYTHON_LIBRARY}")
endif()
