#include "suite/store/sample_file.hpp"

#include <limits>
#include <set>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/store/gzip_members.hpp"
#include "suite/store/whole_member.hpp"

namespace ddpbench {

SampleFile::SampleFile(std::string path, Ends ends) : path_(std::move(path)), ends_(std::move(ends)) {
  GzipMemberReader members(path_, std::numeric_limits<std::int64_t>::max());
  members.next(header_);
  std::set<std::int64_t> borders{members.end_offset()};
  for (const auto& [launch_id, end] : ends_) {
    if (end > members.end_offset()) borders.insert(end);
  }
  begins_.assign(borders.begin(), borders.end());
}

void SampleFile::for_each_launch(const EachLaunch& each, std::size_t threads) const {
  std::vector<std::string> texts(threads, header_);
  in_parallel(begins_.size() - 1, threads,
              [&](std::size_t stretch, std::size_t thread) { read_stretch(stretch, texts[thread], each); });
}

void SampleFile::append_last_member(std::int64_t begin, std::int64_t end, std::string& text) const {
  GzipMemberReader members(path_, end, begin);
  while (members.end_offset() < end) {
    text.resize(header_.size());
    if (!members.next(text)) throw Error(path_ + " is shorter than runs.csv says (" + std::to_string(begins_.back()) + " bytes)");
  }
}

// A stretch begins with the members of tries that were run again, if any; only its last member can be a launch's.
void SampleFile::read_stretch(std::size_t index, std::string& text, const EachLaunch& each) const {
  const auto end = begins_[index + 1];
  text.resize(header_.size());
  if (!append_whole_member(path_, begins_[index], end, text)) append_last_member(begins_[index], end, text);
  const auto launch_id = text.substr(header_.size(), text.find(',', header_.size()) - header_.size());
  const auto launch = ends_.find(launch_id);
  if (launch != ends_.end() && launch->second == end) each(launch_id, text);
}

}  // namespace ddpbench
