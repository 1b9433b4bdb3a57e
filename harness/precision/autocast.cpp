#include "harness/precision/autocast.hpp"

#include <ATen/autocast_mode.h>

namespace ddpbench {

void Autocast::begin_forward() {
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, type_);
  at::autocast::set_autocast_cache_enabled(true);
  at::autocast::increment_nesting();
}

// The cache of cast weights is dropped with the outermost scope, as Python's context manager does.
void Autocast::end_forward() {
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace ddpbench
