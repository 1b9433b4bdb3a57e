# Every program, library and test of the project is made by one of these functions (those that see LibTorch by their kin in
# DdpbenchLibTorch.cmake), so that the language level, the include root and the
# warnings are written once.

add_library(ddpbench_build_options INTERFACE)
target_compile_features(ddpbench_build_options INTERFACE cxx_std_20)
target_include_directories(ddpbench_build_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(
  ddpbench_build_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                   $<$<BOOL:${DDPBENCH_WARNINGS_AS_ERRORS}>:-Werror>)
# The harness is linked into a program and into a Python module. No function of ours is replaced at load time: calls stay direct.
target_compile_options(ddpbench_build_options INTERFACE -fPIC)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(ddpbench_build_options INTERFACE -fno-semantic-interposition)
endif()
# "text" + std::string warns falsely at -O2 (GCC bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ddpbench_build_options INTERFACE -Wno-restrict)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/DdpbenchCompilerRuntime.cmake")

# ddpbench_library(<name> SOURCES … [LINK …] [COMPUTES]). COMPUTES: tests spend their time in it, so that it is optimised under the sanitizers, too.
function(ddpbench_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COMPUTES" "" "SOURCES;LINK")
  add_library(${name} STATIC ${arg_SOURCES})
  if(arg_COMPUTES)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O1>)
  endif()
  target_link_libraries(${name} PUBLIC ddpbench_build_options ${arg_LINK})
endfunction()

# ddpbench_program(<name> SOURCES … [LINK …])
function(ddpbench_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ddpbench_build_options ${arg_LINK})
endfunction()

# Code of a test need not be fast, only what it calls.
set(ddpbench_test_options "$<$<CONFIG:Release>:-O0>")
# GoogleTest's headers and some others take longer to read than most tests: precompiled once here, and shared by every test that sees no torch.
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/test_header.cpp" CONTENT "\n")
  add_library(ddpbench_test_header OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/test_header.cpp")
  target_compile_options(ddpbench_test_header PRIVATE ${ddpbench_test_options})
  target_link_libraries(ddpbench_test_header PRIVATE ddpbench_build_options GTest::gmock nlohmann_json::nlohmann_json)
  target_precompile_headers(ddpbench_test_header PRIVATE <algorithm> <filesystem> <fstream> <functional> <map> <optional> <span> <string> <vector>
                            <gmock/gmock.h> <nlohmann/json.hpp>)
endif()

# Tests of this label are known to ctest, and built by their names, but are no part of `all`: CI has those that preset asan runs once only.
set(DDPBENCH_TESTS_BUT "" CACHE STRING "A label: tests that have it are not part of the target `all`")

# ddpbench_test(<name> SOURCES … [LINK …] [LABELS …] [TIMEOUT seconds] [COST seconds] [SHARDS n] [SERIAL] [IN_EVERY_BUILD] [HEADER …]): one
# GoogleTest program and one ctest entry, or n entries (name_1, …) that share its tests and run side by side; those of a COST start first. Labels
# in use: unit (pure), ranks (starts processes that train), e2e (runs the built commands), browser, gpu; threads (has threads or signals: what
# ThreadSanitizer is for); sanitized (preset asan runs it, too; set here); proof (needs a quiet host: tests/proofs). IN_EVERY_BUILD: it says more
# without sanitizers, or runs only there. HEADER: the target whose precompiled headers it uses, where it sees torch.
add_custom_target(ddpbench_threaded_tests)
function(ddpbench_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL;IN_EVERY_BUILD" "TIMEOUT;HEADER;COST;SHARDS" "SOURCES;LINK;LABELS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ddpbench_build_options GTest::gmock_main ${arg_LINK})
  if(arg_HEADER)
    target_precompile_headers(${name} REUSE_FROM ${arg_HEADER})
  else()
    target_precompile_headers(${name} REUSE_FROM ddpbench_test_header)
    target_compile_options(${name} PRIVATE ${ddpbench_test_options})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  set(entries)
  if(arg_SHARDS)
    foreach(shard RANGE 1 ${arg_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}_${shard} COMMAND ${name})
      set_tests_properties(${name}_${shard} PROPERTIES ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}")
      list(APPEND entries ${name}_${shard})
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${name})
    set(entries ${name})
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_HEADER AND NOT arg_IN_EVERY_BUILD)
    list(APPEND arg_LABELS sanitized)
  endif()
  if(DDPBENCH_TESTS_BUT AND DDPBENCH_TESTS_BUT IN_LIST arg_LABELS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)  # of a hang, on a machine that has other work
  endif()
  set_tests_properties(${entries} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
  if("threads" IN_LIST arg_LABELS)
    add_dependencies(ddpbench_threaded_tests ${name})
  endif()
  if(arg_COST)
    set_tests_properties(${entries} PROPERTIES COST ${arg_COST})
  endif()
  if(arg_SERIAL)
    set_tests_properties(${entries} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()

# ddpbench_run_path(<target> <own> [<library file>…]): `own`, and the folders of these libraries where the loader does not look by itself.
# CMake's INSTALL_RPATH_USE_LINK_PATH would leave out those in the source folder, where bootstrap.sh puts the wheel. In the build tree the
# same: CMake would fill a path that it is to change later with ':', which the loader takes for the working directory.
function(ddpbench_run_path target own)
  set(run_path "${own}")
  foreach(library IN LISTS ARGN)
    if(EXISTS "${library}")
      get_filename_component(folder "${library}/.." ABSOLUTE)
      list(APPEND run_path "${folder}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES run_path)
  list(REMOVE_ITEM run_path ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${run_path}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()
