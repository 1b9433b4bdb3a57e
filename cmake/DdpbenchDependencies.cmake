# Everything found here is a package of the system (or of `bootstrap.sh --deps`); bootstrap.sh installs what is missing.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)

# fast-cpp-csv-parser: Debian's libcsv-dev installs another csv.h, so the one with CSVReader is asked for.
find_path(DDPBENCH_FCCP_INCLUDE_DIR csv.h PATH_SUFFIXES libfccp fast-cpp-csv-parser REQUIRED)
file(STRINGS "${DDPBENCH_FCCP_INCLUDE_DIR}/csv.h" ddpbench_fccp_reader REGEX "class CSVReader")
if(NOT ddpbench_fccp_reader)
  message(FATAL_ERROR "${DDPBENCH_FCCP_INCLUDE_DIR}/csv.h is not fast-cpp-csv-parser (no CSVReader): install libfccp-dev")
endif()
add_library(ddpbench_fccp INTERFACE)
target_include_directories(ddpbench_fccp SYSTEM INTERFACE "${DDPBENCH_FCCP_INCLUDE_DIR}")
target_link_libraries(ddpbench_fccp INTERFACE Threads::Threads)

# libdeflate: Debian's package brings no CMake files.
find_path(DDPBENCH_LIBDEFLATE_INCLUDE_DIR libdeflate.h REQUIRED)
find_library(DDPBENCH_LIBDEFLATE_LIBRARY deflate REQUIRED)
add_library(ddpbench_libdeflate INTERFACE)
target_include_directories(ddpbench_libdeflate SYSTEM INTERFACE "${DDPBENCH_LIBDEFLATE_INCLUDE_DIR}")
target_link_libraries(ddpbench_libdeflate INTERFACE "${DDPBENCH_LIBDEFLATE_LIBRARY}")

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  find_package(GTest REQUIRED)
endif()
