#include "suite/traces/nsys_reader.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "suite/base/errors.hpp"
#include "suite/traces/read_trace.hpp"
#include "suite/traces/trace_summary.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

// What the exports of two versions have, as far as it is read.
struct Schema {
  const char* version;
  const char* metadata;
  const char* kernel_columns;
};
constexpr Schema k2022{"2022.4.2", "EXPORT_META_DATA", "correlationId INTEGER, globalPid INTEGER"};
constexpr Schema k2023{"2023.4.4", "META_DATA_EXPORT", "greenContextId INTEGER, correlationId INTEGER, globalPid INTEGER"};

// Fills a file table by table.
class Export {
 public:
  explicit Export(const std::string& path) {
    if (::sqlite3_open(path.c_str(), &file_) != SQLITE_OK) throw std::runtime_error("cannot make " + path);
    run("PRAGMA synchronous = OFF");  // not for ever
  }
  ~Export() { ::sqlite3_close(file_); }
  Export(const Export&) = delete;
  Export& operator=(const Export&) = delete;

  Export& run(const std::string& text) {
    char* mistake = nullptr;
    if (::sqlite3_exec(file_, text.c_str(), nullptr, nullptr, &mistake) != SQLITE_OK) throw std::runtime_error(mistake);
    return *this;
  }
  Export& tables(const Schema& schema) {
    const std::string metadata = schema.metadata, kernel = schema.kernel_columns;
    return run(
        "CREATE TABLE " + metadata +
        " (name TEXT NOT NULL, value TEXT); CREATE TABLE StringIds (id INTEGER NOT NULL, value TEXT NOT NULL);"
        "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, category INTEGER, text TEXT, "
        "globalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER, int64Value INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, "
        "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, " +
        kernel + ", demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL);");
  }
  Export& string(int id, const std::string& value) {
    return run("INSERT INTO StringIds VALUES (" + std::to_string(id) + ", '" + value + "')");
  }
  // NOLINTNEXTLINE(readability-function-size): the columns of a row
  Export& range(int begin, int end, const std::string& text_or_id, std::int64_t payload = 0, int domain = 1,
                std::int64_t process = 5) {
    const bool is_id = text_or_id.find_first_not_of("0123456789") == std::string::npos;
    return run("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, textId, domainId, uint64Value) VALUES (" +
               std::to_string(begin) + ", " + std::to_string(end) + ", 59, " + (is_id ? "NULL" : "'" + text_or_id + "'") + ", " +
               std::to_string((process << 24) + 1) + ", " + (is_id ? text_or_id : "NULL") + ", " + std::to_string(domain) + ", " +
               (payload == 0 ? "NULL" : std::to_string(payload)) + ")");
  }
  Export& event(int type, const std::string& text, int domain = 1, std::int64_t process = 5) {
    return run("INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId) VALUES (1, " + std::to_string(type) +
               ", '" + text + "', " + std::to_string((process << 24) + 1) + ", " + std::to_string(domain) + ")");
  }

 private:
  sqlite3* file_ = nullptr;
};

constexpr std::int64_t kProcess = 5;
const std::string kPid = std::to_string(kProcess << 24), kAutograd = std::to_string((kProcess << 24) + 2);

class NsysReader : public ::testing::TestWithParam<Schema> {};

// A block of the arm `raw`: a discarded step and two timed ones; backward's kernels are launched by autograd's thread.
TEST_P(NsysReader, ReadsBlocksStepsPhasesAndKernels) {
  const ScratchFolder folder;
  const auto path = folder / "x.sqlite";
  constexpr std::int64_t kBlock = std::int64_t{1} << 32;
  {
    Export file(path);
    file.tables(GetParam())
        .string(1, "step")
        .string(2, "backward")
        .string(3, "gemm")
        .string(4, "ncclDevKernel_AllReduce_Sum_f32")
        .string(5, "cudaLaunchKernel");
    file.event(75, "ddpbench").event(75, "NCCL", 2).event(33, "raw").event(34, "rank 1 of 2, launch L7");
    file.range(0, 1000, "measure").range(10, 900, "raw", 1);
    file.range(20, 100, "1", kBlock).range(100, 400, "1", kBlock | 1).range(400, 700, "1", kBlock | 2);
    file.range(100, 150, "data").range(200, 300, "2").range(220, 230, "ncclAllReduce", 0, 2);
    file.run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (210, 220, 0, " + kAutograd + ", 77, 5), (230, 240, 0, " +
             kAutograd + ", 78, 5)");
    const std::string columns =
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, correlationId, globalPid, demangledName, shortName) "
        "VALUES ";
    file.run(columns + "(250, 320, 0, 77, " + kPid + ", 3, 3), (300, 350, 0, 78, " + kPid + ", 4, 4)");
  }
  const auto traces = read_traces(path);
  ASSERT_THAT(traces, SizeIs(1));
  EXPECT_EQ(traces[0].rank, 1);
  EXPECT_EQ(traces[0].launch, "L7");
  const auto steps = find_steps(traces[0], "");
  EXPECT_EQ(steps.source, StepSource::kBlocks);
  ASSERT_THAT(steps.steps, SizeIs(2));
  const auto summary = summarize(traces[0], steps);
  ASSERT_THAT(summary.arms, SizeIs(1));
  EXPECT_EQ(summary.arms[0].first, "raw");
  const auto& arm = summary.arms[0].second;
  EXPECT_EQ(arm.launches, 2);
  EXPECT_EQ(arm.phases[index_of(Phase::kBackward)].kernels_ns, 120);
  EXPECT_EQ(arm.partition.parts[index_of(TracePart::kOperations)], 70);
  EXPECT_EQ(arm.partition.parts[index_of(TracePart::kExposed)], 30);
  EXPECT_EQ(arm.partition.parts[index_of(TracePart::kIdleData)], 50);
  EXPECT_EQ(arm.partition.parts[index_of(TracePart::kIdleLaunching)], 20);
  EXPECT_EQ(arm.step_ns, 600);
}

TEST_P(NsysReader, ReadsAStrangersRanges) {
  const ScratchFolder folder;
  const auto path = folder / "L3.rank4.sqlite";
  Export(path).tables(GetParam()).range(0, 100, "train", 0, 0).range(10, 30, "aten::mm, seq = 3, op_id = 17", 0, 0);
  const auto traces = read_nsys(path);
  ASSERT_THAT(traces, SizeIs(1));
  EXPECT_EQ(traces[0].rank, 4);
  EXPECT_EQ(traces[0].launch, "");
  const auto summary = summarize(traces[0], find_steps(traces[0], "train"));
  EXPECT_EQ(summary.arms[0].second.operation_names.at("aten::mm").time_ns, 20);
}

// Each process numbers its domains by itself: 1 is of ddpbench in two of them, and of NCCL in the third.
TEST_P(NsysReader, MakesATraceOfEachProcess) {
  const ScratchFolder folder;
  const auto path = folder / "x.sqlite";
  Export file(path);
  file.tables(GetParam()).event(75, "ddpbench").event(75, "ddpbench", 1, 6).event(75, "NCCL", 1, 9);
  file.range(0, 100, "raw", 1).range(0, 50, "raw", 1, 1, 6).range(0, 10, "ncclAllReduce", 0, 1, 9);
  file.event(34, "rank 1 of 2, launch L7", 1, 6);
  const auto traces = read_nsys(path);
  ASSERT_THAT(traces, SizeIs(2));
  EXPECT_EQ(traces[0].rank, std::nullopt);
  EXPECT_EQ(traces[1].rank, 1);
}

INSTANTIATE_TEST_SUITE_P(Versions, NsysReader, ::testing::Values(k2022, k2023),
                         [](const auto& schema) { return std::string(schema.param.version).substr(0, 4); });

TEST(NsysFile, SaysWhatIsWrongWithIt) {
  const ScratchFolder folder;
  const auto refused = [](const std::string& path, const std::string& why) {
    EXPECT_THAT([&] { read_traces(path); }, ThrowsMessage<UsageError>(AllOf(HasSubstr(path), HasSubstr(why))));
  };
  const auto other = folder / "other.sqlite";
  Export(other).run("CREATE TABLE t (a INTEGER)");
  refused(other, "no export of Nsight Systems");
  const auto no_ranges = folder / "no_ranges.sqlite";
  Export(no_ranges).run("CREATE TABLE META_DATA_EXPORT (name TEXT); CREATE TABLE StringIds (id INTEGER, value TEXT)");
  refused(no_ranges, "NVTX_EVENTS");
  const auto empty = folder / "empty.sqlite";
  Export(empty).tables(k2023);
  refused(empty, "empty");
  std::filesystem::resize_file(empty, 5000);
  refused(empty, "is not whole");
}

}  // namespace
}  // namespace ddpbench
