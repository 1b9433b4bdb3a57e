#pragma once
#include <string>

namespace ddpbench {

// Makes a folder of this process's own that the nodes see, where the launcher needs one: in the cache folder, which lies in the
// user's home. Goes with the object. `name`: what it is for.
class SharedFolder {
 public:
  explicit SharedFolder(const std::string& name);
  ~SharedFolder();
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace ddpbench
