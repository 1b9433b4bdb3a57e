#include "tests/campaigns/fuzz/readers.hpp"

#include <fcntl.h>
#include <stdlib.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "reports/analysis/samples/settings.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/formats/cifar_binary.hpp"
#include "suite/formats/cifar_python.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/idx.hpp"
#include "suite/formats/image_files.hpp"
#include "suite/formats/verify.hpp"
#include "suite/formats/weights_file.hpp"
#include "suite/plan/constraint.hpp"
#include "suite/plan/experiment.hpp"
#include "suite/traces/kineto_reader.hpp"
#include "suite/traces/trace_report.hpp"
#include "tests/suite/formats/python_batch.hpp"
#include "tests/suite/formats/small_zip.hpp"
#include "tests/support/sound_experiment.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench::fuzz {
namespace {

// What was understood must be understood again from what is written of it.
void require(bool holds) {
  if (!holds) std::abort();
}

void read_experiment(const std::string& text) {
  const auto vocabulary = test::test_vocabulary();
  const auto experiment = parse_experiment(text, "x.toml", vocabulary);
  require(parse_experiment(to_toml(experiment), "x.toml", vocabulary) == experiment);
}

std::vector<std::string> sound_experiments() {
  return {test::kSoundExperiment, "name = \"m\"\narms = [\"raw\"]\naxes.workload = [\"null\"]\n",
          "x = {a.b = [[1, 2.5], \"\"\"t\"\"\"\"], c = 1979-05-27T07:32:00Z}\n"};
}

void read_folders_experiment(const std::string& text) { read_settings(text, "x.toml"); }

template <class Row>
std::string csv_of(const std::vector<Row>& rows) {
  auto text = csv_header<Row>();
  for (const auto& row : rows) append_csv_row(text, row);
  return text;
}

template <class Row>
void read_csv(const std::string& text) {
  const auto written = csv_of(read_csv_text<Row>(text, "file.csv"));
  require(csv_of(read_csv_text<Row>(written, "again.csv")) == written);
}

template <class Row>
std::vector<std::string> sound_csv() {
  return {csv_header<Row>(), csv_of<Row>({Row(), Row()})};
}

const std::vector<ConstraintName> kNames{
    {"nodes", TermKind::kNumber}, {"backend", TermKind::kText}, {"on", TermKind::kCondition}};

void read_constraint(const std::string& text) {
  const std::vector<ConstraintValue> values{{.number = 2, .text = {}}, {.text = "gloo"}, {.text = {}, .condition = true}};
  const auto constraint = Constraint::parse(text, kNames);
  require(constraint.holds(values) == Constraint::parse(constraint.text(), kNames).holds(values));
}

std::vector<std::string> sound_constraints() {
  return {"nodes * 2 <= 16 and not backend == 'mpi'", "on or (nodes % 3 - -1) / 2 != 0.5", "((nodes)) > 1e-3 and true == on"};
}

// Files of two records each, so that a few bytes are a whole data set.
constexpr std::array kTinyFiles{DataFile{"data_batch_1.bin", Split::kTrain, 2}, DataFile{"data_batch_2.bin", Split::kTrain, 2}};
constexpr std::array kTinyVersions{DataVersion{"cifar-10-batches-bin", &kCifarBinary, kTinyFiles}};

constexpr std::array kTinyIdxFiles{DataFile{"images", Split::kTrain, 2, "", "labels"}};
constexpr std::array kTinyIdxVersions{DataVersion{"tiny", &kIdx, kTinyIdxFiles}};

DataSet tiny(std::string_view name, std::span<const DataVersion> versions) {
  auto set = find_data_set(name);
  set.versions = versions;
  return set;
}
const DataSet kTiny = tiny("cifar10", kTinyVersions), kTinyMnist = tiny("mnist", kTinyIdxVersions);

// Of this process; removed at its end.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "ddpbench-fuzz-XXXXXX").string()) {
    require(::mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() {
    std::error_code left_behind;
    std::filesystem::remove_all(path_, left_behind);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  // Not for ever: no sync.
  std::string file(const std::string& name, std::string_view bytes) const {
    const auto path = path_ + "/" + name;
    write_all(open_file(path, O_WRONLY | O_CREAT | O_TRUNC), bytes, path);
    return path;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const Folder& folder() {
  static const Folder one;
  return one;
}

// Of a data set in the folder.
void read_images(const DataSet& set) {
  const bool is_whole = data_mistakes(set, folder().path()).empty();
  ImageFiles images(set, folder().path(), Split::kTrain);
  images.keep_in_memory();
  ImageRecord buffer;
  int read = 0;
  for (std::int64_t i = 0; i < images.size(); ++i) read += images.read(i, buffer).label < images.classes() ? 1 : 0;
  require(is_whole && read == images.size());
}

void read_cifar(const std::string& bytes) {
  const auto half = bytes.size() / 2;
  folder().file("data_batch_1.bin", std::string_view(bytes).substr(0, half));
  folder().file("data_batch_2.bin", std::string_view(bytes).substr(half));
  read_images(kTiny);
}

std::vector<std::string> sound_cifar() { return {std::string(static_cast<std::size_t>(4 * cifar_record_bytes(kTiny)), '\3')}; }

// The last bytes are the file of labels.
void read_idx(const std::string& bytes) {
  constexpr std::size_t kLabelFileBytes = 10;
  const auto images = bytes.size() - std::min(bytes.size(), kLabelFileBytes);
  folder().file("images", std::string_view(bytes).substr(0, images));
  folder().file("labels", std::string_view(bytes).substr(images));
  read_images(kTinyMnist);
}

std::vector<std::string> sound_idx() {
  const auto made = generate_data(kTinyMnist, folder().path() + "/generated", 1);
  return {read_file(made + "/images", 4096) + read_file(made + "/labels", 4096)};
}

constexpr std::int64_t kPixelBytes = 3072;

void read_python_batch(const std::string& bytes) {
  const auto read = read_cifar_python(kTiny, kTinyFiles[0], "data_batch_1", bytes);
  const auto end = static_cast<std::size_t>(read.pixels_begin + kTinyFiles[0].records * kPixelBytes);
  require(read.pixels_begin >= 0 && end <= bytes.size());
}

std::vector<std::string> sound_python_batches() {
  const auto records = static_cast<std::size_t>(kTinyFiles[0].records);
  return {test::pickle_of(kTiny, {std::string(records * kPixelBytes, '\3'), {std::vector<int>(records, 1)}})};
}

void read_pickle(const std::string& bytes) { read_state_dict_pickle(bytes); }
std::vector<std::string> sound_pickles() { return {test::sound_pickle(), "}."}; }

void read_weights(const std::string& bytes) { read_weights_index(folder().file("weights.pt", bytes)); }
std::vector<std::string> sound_weights() { return {test::sound_weights()}; }

// Whatever a trace holds, the parts of its steps add up to them.
void read_trace(const std::string& text) {
  const auto trace = read_kineto(folder().file("trace.json", text));
  const auto summary = summarize(trace, find_steps(trace, ""));
  for (const auto& [name, arm] : summary.arms) {
    std::int64_t parts = 0;
    for (const auto part : arm.partition.parts) parts += part;
    require(parts == arm.step_ns);
  }
  trace_text({{summary, std::nullopt}}, 3);
}

std::vector<std::string> sound_traces() {
  const std::string event = R"({"ph":"X","pid":7,"tid":7,"ts":10.5,"dur":20,"cat":)";
  return {R"({"ddpbench":{"launch_id":"L1"},"distributedInfo":{"rank":1},"traceEvents":[)" + event +
          R"("user_annotation","name":"block 1 raw"},)" + event + R"("user_annotation","name":"ProfilerStep#1"},)" + event +
          R"("user_annotation","name":"ddpbench:data"},)" + event +
          R"("user_annotation","name":"gloo:all_reduce","args":{"Input Dims":[[5,3]],"Input type":["float"]}},)" + event +
          R"("kernel","name":"ncclDevKernel","args":{"correlation":3,"In msg nelems":4,"dtype":"Float"}},)" + event +
          R"("cuda_runtime","name":"cudaLaunchKernel","args":{"correlation":3}},)" + event + R"("cpu_op","name":"aten::mm"}]})"};
}

}  // namespace

std::span<const Reader> readers() {
  static const std::array table{
      Reader{"experiment", read_experiment, sound_experiments},
      Reader{"settings", read_folders_experiment, sound_experiments},
      Reader{"constraint", read_constraint, sound_constraints},
      Reader{"steps_csv", read_csv<StepRow>, sound_csv<StepRow>},
      Reader{"runs_csv", read_csv<RunRow>, sound_csv<RunRow>},
      Reader{"cifar", read_cifar, sound_cifar},
      Reader{"cifar_python", read_python_batch, sound_python_batches},
      Reader{"idx", read_idx, sound_idx},
      Reader{"pickle", read_pickle, sound_pickles},
      Reader{"weights", read_weights, sound_weights},
      Reader{"trace", read_trace, sound_traces},
  };
  return table;
}

}  // namespace ddpbench::fuzz
