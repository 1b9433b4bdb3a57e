# Everything found here is a package of the system (or of `bootstrap.sh --deps`); bootstrap.sh installs what is missing.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

# ddpbench_package(<package> <target> <header>): by its CMake files, or as headers alone, which is all that some sources of it bring.
function(ddpbench_package package target header)
  find_package(${package} QUIET)
  if(TARGET ${target})
    return()
  endif()
  string(TOUPPER "DDPBENCH_${package}_INCLUDE_DIR" folder)
  find_path(${folder} ${header} REQUIRED)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE "${${folder}}")
endfunction()
ddpbench_package(CLI11 CLI11::CLI11 CLI/CLI.hpp)
ddpbench_package(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json.hpp)
ddpbench_package(tomlplusplus tomlplusplus::tomlplusplus toml++/toml.h)

# Boost.Math, of which headers alone are used.
find_path(DDPBENCH_BOOST_INCLUDE_DIR boost/math/distributions/students_t.hpp REQUIRED)
add_library(ddpbench_boost INTERFACE)
target_include_directories(ddpbench_boost SYSTEM INTERFACE "${DDPBENCH_BOOST_INCLUDE_DIR}")

# Empty where it is headers alone.
get_target_property(ddpbench_toml_type tomlplusplus::tomlplusplus TYPE)
set(DDPBENCH_TOML_LIBRARY)
if(NOT ddpbench_toml_type STREQUAL "INTERFACE_LIBRARY")
  get_target_property(DDPBENCH_TOML_LIBRARY tomlplusplus::tomlplusplus LOCATION)
endif()

# ddpbench_plain_library(<target> <header> <library>): of a package that brings no CMake files.
function(ddpbench_plain_library target header library)
  string(TOUPPER "${target}" prefix)
  find_path(${prefix}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${prefix}_LIBRARY ${library} REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${${prefix}_INCLUDE_DIR}")
  target_link_libraries(${target} INTERFACE "${${prefix}_LIBRARY}")
endfunction()
ddpbench_plain_library(ddpbench_libdeflate libdeflate.h deflate)
ddpbench_plain_library(ddpbench_libmd md5.h md)
ddpbench_plain_library(ddpbench_libcsv csv.h csv)
ddpbench_plain_library(ddpbench_sqlite sqlite3.h sqlite3)
file(STRINGS "${DDPBENCH_LIBCSV_INCLUDE_DIR}/csv.h" ddpbench_libcsv_init REGEX "csv_init")
if(NOT ddpbench_libcsv_init)
  message(FATAL_ERROR "${DDPBENCH_LIBCSV_INCLUDE_DIR}/csv.h is not libcsv's (no csv_init): install libcsv-dev")
endif()

# What the programs load beside LibTorch: their folders are on the run paths.
set(DDPBENCH_PLAIN_LIBRARIES ${ZLIB_LIBRARIES} "${DDPBENCH_LIBDEFLATE_LIBRARY}" "${DDPBENCH_LIBMD_LIBRARY}" "${DDPBENCH_LIBCSV_LIBRARY}"
    "${DDPBENCH_SQLITE_LIBRARY}")

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()
