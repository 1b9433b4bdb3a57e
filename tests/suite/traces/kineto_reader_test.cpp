#include "suite/traces/kineto_reader.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

#include <fstream>

#include "suite/base/errors.hpp"
#include "suite/traces/read_trace.hpp"
#include "suite/traces/trace_steps.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

std::string written(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string gzip_of(const std::string& text) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  EXPECT_EQ(::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(text.size() + 1000, '\0');
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

std::string event(const std::string& category, const std::string& name, const std::string& times, const std::string& more = "") {
  return R"({"ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":7,"tid":7,)" + times + more + "}";
}

std::string trace_of(const std::string& events, const std::string& metadata = "") {
  return R"({"schemaVersion":1,"deviceProperties":[{"id":0}],)" + metadata + R"("traceEvents":[)" + events +
         R"(],"traceName":"x"})";
}

const std::string kOurs =
    event("user_annotation", "measure@ddpbench", R"("ts":1700000000000000.123,"dur":900.5)") + "," +
    event("user_annotation", "block 1 py_raw+clip=1", R"("ts":1700000000000001.123,"dur":500)") + "," +
    event("user_annotation", "ProfilerStep#0", R"("ts":1700000000000001.124,"dur":400.25)") + "," +
    event("user_annotation", "ddpbench:backward", R"("ts":1700000000000001.5,"dur":1)") + "," +
    event("cpu_op", "aten::mm", R"("ts":1700000000000002.001,"dur":1.5)",
          R"(,"args":{"Input Dims":[[5,5]],"Input type":["float"]})") +
    R"(,{"ph":"M","name":"process_name","pid":7,"args":{"name":"python"}},{"ph":"i","s":"g","name":"Iteration","ts":5})";

TEST(KinetoReader, ReadsOurTraceToTheNanosecond) {
  const ScratchFolder folder;
  const auto trace = read_kineto(
      written(folder / "L4.rank3.json",
              trace_of(kOurs, R"("distributedInfo":{"backend":"gloo","rank":2,"world_size":4,"pg_config":[{"rank":9}]},)"
                              R"("ddpbench":{"launch_id":"L9","cell_id":"c","arms":["py_raw+clip=1"]},)")));
  EXPECT_EQ(trace.rank, 2);
  EXPECT_EQ(trace.launch, "L9");
  ASSERT_THAT(trace.events, SizeIs(5));
  EXPECT_EQ(trace.events[0].begin, 1700000000000000123);
  EXPECT_EQ(trace.events[0].end, 1700000000000900623);
  EXPECT_EQ(trace.events[1].kind, EventKind::kBlock);
  EXPECT_EQ(trace.name_of(trace.events[1]), "py_raw+clip=1");
  EXPECT_EQ(trace.events[2].kind, EventKind::kStep);
  EXPECT_EQ(trace.events[3].kind, EventKind::kPhase);
  EXPECT_EQ(trace.events[4].kind, EventKind::kOperation);
  EXPECT_EQ(trace.events[4].value, 0);
  EXPECT_EQ(find_steps(trace, "").source, StepSource::kBlocks);
}

TEST(KinetoReader, ReadsGzipAndTheRankOfTheFilesName) {
  const ScratchFolder folder;
  const auto traces = read_traces(written(folder / "L4.rank3.json.gz", gzip_of(trace_of(kOurs))));
  ASSERT_THAT(traces, SizeIs(1));
  EXPECT_EQ(traces[0].rank, 3);
  EXPECT_EQ(traces[0].launch, "L4");
  EXPECT_THAT(traces[0].events, SizeIs(5));
}

TEST(KinetoReader, TakesTheLaunchFromTheFolderWhereTheFileIsNamedByItsRank) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "L5");
  const auto trace = read_kineto(written(folder / "L5/rank4.pt.trace.json", trace_of(kOurs)));
  EXPECT_EQ(trace.rank, 4);
  EXPECT_EQ(trace.launch, "L5");
}

TEST(KinetoReader, LeavesAStrangersBlocksAlone) {
  const ScratchFolder folder;
  const auto trace =
      read_kineto(written(folder / "t.json", trace_of(event("user_annotation", "block 1 of the net", R"("ts":1,"dur":10)") + "," +
                                                      event("user_annotation", "ProfilerStep#3", R"("ts":0,"dur":20)"))));
  EXPECT_EQ(trace.events[1].kind, EventKind::kRange);
  EXPECT_EQ(trace.name_of(trace.events[1]), "block 1 of the net");
  EXPECT_EQ(trace.launch, "");
}

std::string memory_event(const std::string& time, const std::string& arguments) {
  return R"({"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":7,"tid":7,"ts":)" + time + R"(,"args":{)" +
         arguments + R"(,"Bytes":-4,"Addr":140275312824384,"finished":false}})";
}

TEST(KinetoReader, ReadsWhatIsCountedOfMemory) {
  const ScratchFolder folder;
  const auto events =
      kOurs + "," +
      memory_event("1700000000000003.5", R"("Total Reserved":4096,"Total Allocated":2048,"Device Id":1,"Device Type":1)") + "," +
      memory_event("1700000000000002.25", R"("Total Reserved":0,"Total Allocated":1024,"Device Id":-1,"Device Type":0)") + "," +
      memory_event("1700000000000002.5", R"("Device Id":-1,"Device Type":0)");
  const auto trace =
      read_kineto(written(folder / "t.json", trace_of(events, R"("ddpbench":{"launch_id":"L9","knows_all_host_memory":true},)")));
  EXPECT_TRUE(trace.knows_all_host_memory);
  EXPECT_THAT(trace.events, SizeIs(5));
  ASSERT_THAT(trace.memory, SizeIs(2)) << "one has no total: an old release's";
  EXPECT_EQ(trace.memory[0].time, 1700000000000002250);
  EXPECT_EQ(trace.memory[0].allocated, 1024);
  EXPECT_EQ(trace.devices.text(trace.memory[0].device), "cpu");
  EXPECT_EQ(trace.devices.text(trace.memory[1].device), "cuda:1");
  EXPECT_EQ(trace.memory[1].reserved, 4096);
  EXPECT_FALSE(read_kineto(written(folder / "u.json", trace_of(events))).knows_all_host_memory);
}

TEST(KinetoReader, ReadsTheSizeOfCollectives) {
  const ScratchFolder folder;
  const std::string times = R"("ts":1,"dur":10)";
  const auto trace = read_kineto(written(
      folder / "t.json",
      trace_of(event("user_annotation", "gloo:all_reduce", times, R"(,"args":{"Input type":["float"],"Input Dims":[[100,2]]})") +
               "," +
               event("kernel", "ncclDevKernel_AllReduce_Sum_f32", times,
                     R"(,"args":{"In msg nelems":50,"dtype":"BFloat16","correlation":8,"stream":20})") +
               "," + event("kernel", "gemm", times, R"(,"args":{"correlation":9,"grid":[1,2,3]})") + "," +
               event("cuda_runtime", "cudaLaunchKernel", times, R"(,"args":{"correlation":9})"))));
  ASSERT_THAT(trace.events, SizeIs(4));
  EXPECT_EQ(trace.events[0].kind, EventKind::kCollective);
  EXPECT_EQ(trace.events[0].value, 800);
  EXPECT_EQ(trace.events[1].kind, EventKind::kCollectiveKernel);
  EXPECT_EQ(trace.events[1].value, 100);
  EXPECT_EQ(trace.events[1].correlation, 8U);
  EXPECT_EQ(trace.events[2].kind, EventKind::kKernel);
  EXPECT_EQ(trace.events[3].kind, EventKind::kCall);
  EXPECT_EQ(trace.events[3].correlation, 9U);
}

TEST(KinetoReader, ReadsAListOfEventsAlone) {
  const ScratchFolder folder;
  const auto trace = read_kineto(written(folder / "t.json", "[" + event("cpu_op", "aten::mm", R"("ts":1.5,"dur":2)") + "]"));
  ASSERT_THAT(trace.events, SizeIs(1));
  EXPECT_EQ(trace.events[0].begin, 1500);
}

TEST(KinetoReader, SaysWhatIsWrongWithAFile) {
  const ScratchFolder folder;
  const auto whole = trace_of(kOurs);
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& why) {
    const auto path = written(folder / name, text);
    EXPECT_THAT([&] { read_traces(path); }, ThrowsMessage<UsageError>(AllOf(HasSubstr(path), HasSubstr(why)))) << name;
  };
  refused("cut.json", whole.substr(0, whole.size() / 2), "cut short");
  const auto packed = gzip_of(whole);
  refused("cut.json.gz", packed.substr(0, packed.size() / 2), "gzip file is cut short");
  auto damaged = packed;
  damaged[damaged.size() - 7] = static_cast<char>(damaged[damaged.size() - 7] + 1);  // of the checksum
  refused("damaged.json.gz", damaged, "gzip file is damaged");
  refused("not.json", R"({"traceEvents":[}])", "is no JSON");
  refused("other.json", R"({"a":1})", "traceEvents");
  refused("none.json", R"({"traceEvents":[]})", "empty");
  refused("empty.json", "", "empty");
  refused("text.txt", "hello", "is no trace that can be read");
}

// Odd values must not be taken for others, nor end the program.
TEST(KinetoReader, PassesOverWhatItDoesNotUnderstand) {
  const ScratchFolder folder;
  const auto trace = read_kineto(written(
      folder / "t.json",
      trace_of(event("cpu_op", "aten::mm", R"("ts":1,"dur":-5)") + "," + event("cpu_op", "aten::mm", R"("ts":"x","dur":5)") +
               "," + event("cpu_op", "aten::mm", R"("ts":-15e2,"dur":5)") + "," +
               event("cpu_op", "aten::mm", R"("ts":1,"dur":15555555555555555555555555555)") + "," +
               event("cpu_op", "aten::add", R"("ts":1e3,"dur":5)") +
               R"(,[1,[2]],3,null,"text",{"ph":"X","args":{"args":{"correlation":1}}},)" +
               event("gloo", "gloo:all_reduce", R"("ts":1,"dur":1)"))));
  ASSERT_THAT(trace.events, SizeIs(1));
  EXPECT_EQ(trace.events[0].begin, 1'000'000);
}

TEST(KinetoReader, FindsTheTracesOfAResultsFolder) {
  const ScratchFolder folder;
  for (const auto* inside : {"L1/raw", "L2", "L3"}) std::filesystem::create_directories(folder / "profiles/" + inside);
  for (const auto* name : {"L1/rank1.pt.trace.json.gz", "L1/rank0.pt.trace.json.gz", "L1/rank0.steps.csv",
                           "L1/raw/rank0.1.pt.trace.json.gz", "L2/rank0.nsys-rep", "L2/rank0.sqlite", "L3/rank0.nsys-rep"})
    written(folder / "profiles/" + name, "x");
  const auto files = trace_files_of_folder(folder.path());
  ASSERT_THAT(files, SizeIs(5));
  EXPECT_THAT(files[0], HasSubstr("L1/rank0.pt.trace.json.gz"));
  EXPECT_THAT(files[2], HasSubstr("L1/raw/rank0.1.pt.trace.json.gz"));
  EXPECT_THAT(files[3], HasSubstr("L2/rank0.sqlite"));
  EXPECT_THAT(files[4], HasSubstr("L3/rank0.nsys-rep"));
  EXPECT_THAT([&] { trace_files_of_folder(folder / "profiles"); }, ThrowsMessage<UsageError>(HasSubstr("holds no trace")));
}

}  // namespace
}  // namespace ddpbench
