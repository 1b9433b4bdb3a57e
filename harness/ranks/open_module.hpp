#pragma once
#include <dlfcn.h>

#include <string>

#include "suite/base/errors.hpp"

namespace ddpbench {

// Opens a part of ours that links libraries which not every rank needs. Its symbols are the process's: plugins of those libraries
// look for them. Throws CannotRun with the dynamic linker's words. `what`: "LibTorch's CUDA part".
template <class Table>
const Table* open_module(const char* file, const char* symbol, const char* what) {
  void* const library = ::dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw CannotRun(std::string(what) + " cannot be loaded: " + ::dlerror());
  auto* const table = reinterpret_cast<const Table* (*)()>(::dlsym(library, symbol));
  if (table == nullptr) throw CannotRun(std::string(file) + " is from another build: run ./bootstrap.sh build");
  return table();
}

}  // namespace ddpbench
