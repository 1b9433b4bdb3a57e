#include "harness/measure/part_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/contract/csv_writer.hpp"
#include "suite/contract/outcome.hpp"

namespace ddpbench {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error("cannot append to " + path + ": " + std::generic_category().message(errno));
}

void append_to_file(const std::string& path, std::string& text) {
  if (text.empty()) return;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) fail(path);
  const auto written = write(file, text.data(), text.size());
  const int write_error = errno;
  close(file);
  errno = write_error;
  if (written != static_cast<ssize_t>(text.size())) fail(path);
  text.clear();
}

}  // namespace

PartWriter::PartWriter(std::string part_dir, std::int64_t rank) : part_dir_(std::move(part_dir)), rank_(rank) {}

void PartWriter::add(const StepRow& row) { append_csv_row(steps_, row); }
void PartWriter::add(const BlockRow& row) { append_csv_row(blocks_, row); }
void PartWriter::add(const MetricRow& row) { append_csv_row(metrics_, row); }

void PartWriter::flush() {
  append_to_file(blocks_part(part_dir_, rank_), blocks_);
  append_to_file(steps_part(part_dir_, rank_), steps_);
  append_to_file(metrics_part(part_dir_, rank_), metrics_);
}

}  // namespace ddpbench
