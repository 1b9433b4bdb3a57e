#include "suite/launch/probe/worker_probe.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/launch/probe/probe_cache.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;
using ::testing::HasSubstr;

// A worker that counts how often it is asked.
const std::string kWorker =
    "echo asked >> $0.count\n"
    R"(echo '{"worker_build_id": "b1", "torch": "2.11.0", "why_not": {"backend": {"nccl": "no GPU"}}}')";

struct ProbeTest : ::testing::Test {
  test::ScriptFolder folder;
  ScopedVariable cache{"XDG_CACHE_HOME", folder.path() / "cache"};

  Installation with_worker(const std::string& body) const { return {folder.script("worker", body), folder.path()}; }
  std::string why_not_probed(const Installation& installation) const {
    try {
      probe_afresh(installation, "b1");
    } catch (const CannotRun& error) {
      return error.what();
    }
    return "it answered";
  }
};

TEST_F(ProbeTest, KeepsTheAnswer) {
  const auto installation = with_worker(kWorker);
  EXPECT_FALSE(kept_probe(installation, "b1"));
  EXPECT_EQ(current_probe(installation, "b1").at("torch"), "2.11.0");
  EXPECT_EQ(current_probe(installation, "b1").at("torch"), "2.11.0");
  EXPECT_EQ(folder.read("worker.count"), "asked\n");
}

// A library that the probe loads would else take a planted one from where the user stands.
TEST_F(ProbeTest, AsksFromTheRootFolder) {
  EXPECT_EQ(probe_afresh(with_worker(R"(echo "{\"from\": \"$(pwd)\"}")"), "b1").at("from"), "/");
}

TEST_F(ProbeTest, AsksAgainForAnotherBuildOrOtherDevices) {
  const auto installation = with_worker(kWorker);
  probe_afresh(installation, "b1");
  EXPECT_TRUE(kept_probe(installation, "b1"));
  EXPECT_FALSE(kept_probe(installation, "b2"));
  const ScopedVariable devices("CUDA_VISIBLE_DEVICES", "3");
  EXPECT_FALSE(kept_probe(installation, "b1"));
}

TEST_F(ProbeTest, ADamagedKeptAnswerIsAskedForAnew) {
  const auto installation = with_worker(kWorker);
  probe_afresh(installation, "b1");
  const auto path = probe_cache_path();
  const auto sound = read_file(path);
  const auto key = sound.substr(0, sound.find("\"probe\""));
  const std::string open(100'000, '['), closed(100'000, ']');
  for (const auto& probe :
       {std::string("[]"), std::string(R"({"why_not": [1]})"), std::string(R"({"why_not": {"backend": {"nccl": 3}}})"),
        std::string(R"({"worker_build_id": 1})"), "{\"a\": " + open + closed + "}"}) {
    replace_file(path, key + "\"probe\": " + probe + "}");
    EXPECT_FALSE(kept_probe(installation, "b1")) << probe.substr(0, 100);
  }
  replace_file(path, sound.substr(0, sound.size() / 2));
  EXPECT_FALSE(kept_probe(installation, "b1"));
  replace_file(path, sound);
  EXPECT_TRUE(kept_probe(installation, "b1"));
}

TEST_F(ProbeTest, ANamedPipeInThePlaceOfTheKeptAnswerIsPassedBy) {
  const auto installation = with_worker(kWorker);
  std::filesystem::create_directories(probe_cache_path().parent_path());
  ASSERT_EQ(::mkfifo(probe_cache_path().c_str(), 0600), 0);
  EXPECT_FALSE(kept_probe(installation, "b1"));
  EXPECT_EQ(current_probe(installation, "b1").at("torch"), "2.11.0");
}

TEST_F(ProbeTest, AnswersWithoutAPlaceToKeep) {
  const ScopedVariable no_cache("XDG_CACHE_HOME", std::nullopt), no_home("HOME", std::nullopt);
  EXPECT_EQ(current_probe(with_worker(kWorker), "b1").at("torch"), "2.11.0");
}

TEST_F(ProbeTest, SaysHowToGetAMissingWorker) {
  EXPECT_THAT(why_not_probed({folder.path() / "none", folder.path()}), HasSubstr("bootstrap.sh build"));
}

TEST_F(ProbeTest, PassesOnWhatTheLoaderMisses) {
  const auto why = why_not_probed(with_worker("echo 'libtorch_cpu.so: cannot open shared object file' >&2; exit 127"));
  EXPECT_THAT(why, HasSubstr("libtorch_cpu.so: cannot open"));
  EXPECT_THAT(why, HasSubstr("bootstrap.sh build"));
}

TEST_F(ProbeTest, DoesNotTakeABrokenAnswer) {
  EXPECT_THAT(why_not_probed(with_worker("echo hello")), HasSubstr("did not answer with JSON but: hello"));
  EXPECT_THAT(why_not_probed(with_worker("echo oops >&2; exit 9")), HasSubstr("exit code 9; it last said: oops"));
}

TEST_F(ProbeTest, TellsThePlanWhatIsMissing) {
  const auto availability = availability_from(probe_afresh(with_worker(kWorker), "b1"), "local");
  EXPECT_TRUE(availability.probed);
  EXPECT_EQ(availability.why_not.at("backend").at("nccl"), "no GPU");
  EXPECT_EQ(availability.max_nodes, 1);
  EXPECT_EQ(availability.gpus, 0);
  EXPECT_FALSE(availability_from(std::nullopt, "local").probed);
  EXPECT_EQ(availability_from(probe_afresh(with_worker(R"(echo '{"gpus": 4}')"), "b1"), "local").gpus, 4);
}

// Without a job it would start the ranks of two "nodes" on this one.
TEST_F(ProbeTest, MpirunReachesThisMachineUnlessSomebodyNamesOthers) {
  const auto nodes = [](const Allocation& allocation) { return availability_from(std::nullopt, "mpirun", allocation).max_nodes; };
  EXPECT_EQ(nodes({}), 1);
  EXPECT_EQ(nodes({.hosts = {"a", "b"}, .is_named = true}), 2);
  EXPECT_EQ(nodes({.job = "PBS job 17", .why_no_hosts = "its node file is missing"}), 0) << "no bound is known";
  const test::ScopedVariable lsf("LSB_JOBID", "17");
  EXPECT_EQ(nodes({}), 0);
}

TEST_F(ProbeTest, RefusesAnUnknownLauncher) { EXPECT_THROW(availability_from(std::nullopt, "carrier-pigeon"), UsageError); }

}  // namespace
}  // namespace ddpbench
