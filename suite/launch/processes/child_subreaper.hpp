#pragma once
#include <sys/types.h>

#include <vector>

namespace ddpbench {

// Makes, while it lives, this process the parent of what its descendants leave behind when they die: so a launch can be ended
// whole although another program started its ranks, or a rank has forked a daemon away. At most one object at a time.
class ChildSubreaper {
 public:
  ChildSubreaper();
  ~ChildSubreaper();
  ChildSubreaper(const ChildSubreaper&) = delete;
  ChildSubreaper& operator=(const ChildSubreaper&) = delete;

  // Kills and reaps every child that this process did not have when the object was made, and what those leave behind.
  // Does not wait for ever for one that cannot be killed (state D).
  void end_all() const;

 private:
  std::vector<pid_t> kept_;
  int was_subreaper_ = 0;
};

}  // namespace ddpbench
