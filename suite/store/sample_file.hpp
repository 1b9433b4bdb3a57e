#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ddpbench {

// Reads the committed launches of steps.csv.gz or blocks.csv.gz. Each launch's rows stand in a gzip member that ends where
// runs.csv says, so that several threads can read several of them at once.
class SampleFile {
 public:
  // Says by launch where its member ends in the file. A member that ends elsewhere is an earlier try's.
  using Ends = std::map<std::string, std::int64_t>;
  SampleFile(std::string path, Ends ends);

  // Takes header and rows of a launch: on one thread in order of the file, on several in any. Reading throws Error as
  // GzipMemberReader does.
  using EachLaunch = std::function<void(const std::string& launch_id, const std::string& csv)>;
  void for_each_launch(const EachLaunch& each, std::size_t threads) const;

  // Returns the length of the first member, which holds the header line.
  std::int64_t header_bytes() const { return begins_.front(); }

 private:
  void append_last_member(std::int64_t begin, std::int64_t end, std::string& text) const;
  void read_stretch(std::size_t index, std::string& text, const EachLaunch& each) const;

  std::string path_;
  Ends ends_;
  std::string header_;
  std::vector<std::int64_t> begins_;  // of the stretches that end with a launch's member, then the end of the last of them
};

}  // namespace ddpbench
