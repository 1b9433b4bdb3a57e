# DDPBENCH_SANITIZE=address;undefined or =thread builds everything of ours with these sanitizers; what they find ends the program.
set(DDPBENCH_SANITIZE "" CACHE STRING "Sanitizers to build with: address;undefined or thread (empty: none)")
if(DDPBENCH_SANITIZE)
  list(JOIN DDPBENCH_SANITIZE "," ddpbench_sanitizers)
  add_compile_options(-fsanitize=${ddpbench_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ddpbench_sanitizers})
endif()

# With clang's AddressSanitizer everything can be searched by libFuzzer, too, where its runtime is there (Debian: libclang-rt-14-dev).
set(DDPBENCH_FUZZ OFF)
if("address" IN_LIST DDPBENCH_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=fuzzer")
  check_cxx_source_compiles("#include <cstddef>\nextern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, std::size_t) { return 0; }"
                            ddpbench_has_fuzzer)
  unset(CMAKE_REQUIRED_FLAGS)
  if(ddpbench_has_fuzzer)
    set(DDPBENCH_FUZZ ON)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
