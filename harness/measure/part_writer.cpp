#include "harness/measure/part_writer.hpp"

#include <fcntl.h>

#include <utility>

#include "suite/base/durable_file.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

void append_to_file(const std::string& path, std::string& text) {
  if (text.empty()) return;
  write_all(open_file(path, O_WRONLY | O_CREAT | O_APPEND), text, path);
  text.clear();
}

}  // namespace

PartWriter::PartWriter(std::string part_dir, std::int64_t rank) : part_dir_(std::move(part_dir)), rank_(rank) {}

void PartWriter::add(const StepRow& row) { append_csv_row(steps_, row); }
void PartWriter::add(const BlockRow& row) { append_csv_row(blocks_, row); }
void PartWriter::add(const MetricRow& row) { append_csv_row(metrics_, row); }
void PartWriter::add(const CollectiveSampleRow& row) { append_csv_row(collectives_, row); }

void PartWriter::flush() {
  append_to_file(blocks_part(part_dir_, rank_), blocks_);
  append_to_file(steps_part(part_dir_, rank_), steps_);
  append_to_file(metrics_part(part_dir_, rank_), metrics_);
  append_to_file(collectives_part(part_dir_, rank_), collectives_);
}

}  // namespace ddpbench
