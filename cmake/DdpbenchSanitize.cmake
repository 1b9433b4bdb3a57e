# DDPBENCH_SANITIZE=address;undefined or =thread builds everything of ours with these sanitizers; what they find ends the program.
set(DDPBENCH_SANITIZE "" CACHE STRING "Sanitizers to build with: address;undefined or thread (empty: none)")
if(DDPBENCH_SANITIZE)
  list(JOIN DDPBENCH_SANITIZE "," ddpbench_sanitizers)
  add_compile_options(-fsanitize=${ddpbench_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ddpbench_sanitizers})
endif()
