#include "suite/launch/supervision/hang_detector.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "suite/launch/processes/process_state.hpp"
#include "suite/launch/supervision/heartbeat_memory.hpp"

namespace ddpbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace std::chrono_literals;

// A process that does nothing, or is stopped, or burns its core, until it is killed.
class Sleeper {
 public:
  Sleeper() : Sleeper([] { ::pause(); }) { wait_until_asleep(); }
  explicit Sleeper(void (*work)()) : pid_(::fork()) {
    for (; pid_ == 0;) work();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }
  void stop() const {
    ::kill(pid_, SIGSTOP);
    ::waitpid(pid_, nullptr, WUNTRACED);
  }

 private:
  // Until then it moves, and the tests' clock runs faster than it.
  void wait_until_asleep() const {
    for (std::string state; state != "S"; ::usleep(1000)) {
      std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
      std::string number, name;
      stat >> number >> name >> state;
    }
  }

  pid_t pid_;
};

void read_on() {
  static const int file = ::open("/dev/zero", O_RDONLY);
  static char byte;
  if (::read(file, &byte, 1) == 1) ::usleep(10'000);
}

void burn() { ::getppid(); }  // a loop of nothing may be left out, and then the child goes on as this test

// Two ranks that do nothing, and the clock of the driver that watches them.
struct HangDetectorTest : ::testing::Test {
  Sleeper ranks[2];
  std::vector<pid_t> pids{ranks[0].pid(), ranks[1].pid()};
  HeartbeatMemory memory{2};
  HangDetector watch{{"rank 0", "rank 1"}};
  HangDetector::Clock::time_point now{};

  // What a rank does with the memory that it is told of.
  Heartbeat& heartbeat(std::size_t rank) const {
    const FileDescriptor file(::open(memory.path().c_str(), O_RDWR | O_CLOEXEC));
    return static_cast<Heartbeat*>(
        ::mmap(nullptr, 2 * sizeof(Heartbeat), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0))[rank];
  }
  void step(std::size_t rank, Phase phase) const { heartbeat(rank).enter(phase); }
  void seconds_pass(int seconds, pid_t launcher = -1) {
    for (int i = 0; i < seconds; ++i) {
      std::vector<ProcessActivity> activities;
      for (const auto pid : pids) activities.push_back(observe_process(pid, &memory.of(activities.size())));
      watch.look(activities, now += 1s, 500ms, observe_process(launcher, nullptr));
    }
  }
  void seconds_pass_in_which_it_burns(int seconds, const Sleeper& burning) {
    for (int i = 0; i < seconds; ++i) {
      const auto before = process_state(burning.pid()).cpu_seconds;
      while (process_state(burning.pid()).cpu_seconds < before + 0.2) ::usleep(1000);
      seconds_pass(1);
    }
  }
  void seconds_pass_in_which_it_reads(int seconds, const Sleeper& reading) {
    for (int i = 0; i < seconds; ++i) {
      const auto before = bytes_read_by(reading.pid());
      while (bytes_read_by(reading.pid()) == before) ::usleep(1000);
      seconds_pass(1);
    }
  }
  std::optional<Hang> all_still(std::chrono::duration<double> patience) const { return watch.all_still(running(), patience); }
  std::vector<bool> running() const {
    std::vector<bool> all;
    for (const auto pid : pids) all.push_back(pid > 0);
    return all;
  }
};

TEST_F(HangDetectorTest, FindsTheRankThatIsBehind) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kForward);
  step(0, Phase::kBackward);
  heartbeat(1).super_blocks = 12;
  seconds_pass(10);
  EXPECT_FALSE(all_still(20s));
  const auto hang = all_still(9s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 1);
  EXPECT_EQ(hang->words,
            "rank 1 hangs: it is behind the others, in phase forward after 12 super-blocks, and has not moved for 9 s");
}

TEST_F(HangDetectorTest, FindsTheRankThatIsStoppedWhereverTheOthersAre) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kBackward);
  ranks[1].stop();
  seconds_pass(10);
  const auto hang = all_still(5s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 1);
  EXPECT_THAT(hang->words, HasSubstr("rank 1 hangs: its process is suspended (SIGSTOP) in phase backward"));
}

TEST_F(HangDetectorTest, NamesAllWhereNobodyIsBehind) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kData);
  seconds_pass(10);
  const auto hang = all_still(5s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, -1);
  EXPECT_THAT(hang->words, HasSubstr("rank 0 is in phase data after 0 super-blocks, rank 1 is in phase data"));
}

TEST_F(HangDetectorTest, SaysWhichCollectivesDoNotMeetAndInWhichArm) {
  for (const std::size_t rank : {0U, 1U}) {
    step(rank, Phase::kWrapper);
    heartbeat(rank).name_arm("py_lightning+callback=mine");
    heartbeat(rank).call(CollectiveKind::kAllreduce, 1152);
  }
  seconds_pass(10);
  EXPECT_THAT(all_still(5s)->words, EndsWith("in phase wrapper of py_lightning+callback=mine after 0 super-blocks, none of them "
                                             "has moved for 9 s"))
      << "both wait for the network";
  heartbeat(0).call(CollectiveKind::kAllreduce, 4);
  heartbeat(1).call(CollectiveKind::kAllreduce, 1152);
  seconds_pass(1);
  EXPECT_THAT(all_still(5s)->words,
              EndsWith("; collective 2 of rank 0 is an allreduce of 4 bytes, that of rank 1 an allreduce of 1152 "
                       "bytes: not every rank calls the same collectives"));
  heartbeat(1).call(CollectiveKind::kBarrier, 0);
  seconds_pass(1);
  EXPECT_THAT(all_still(5s)->words, EndsWith("; rank 0 has called 2 collectives, rank 1 3")) << "perhaps one is late";
  heartbeat(0).call(CollectiveKind::kReceive, 8);
  for (const std::size_t rank : {0U, 1U}) heartbeat(rank).call(rank == 0 ? CollectiveKind::kSend : CollectiveKind::kReceive, 8);
  seconds_pass(1);
  EXPECT_THAT(all_still(5s)->words, EndsWith("has moved for 12 s")) << "who sends meets one that receives";
}

TEST_F(HangDetectorTest, OneRankThatMovesIsEnough) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kData);
  for (int i = 0; i < 10; ++i) {
    step(1, Phase::kForward);
    seconds_pass(1);
  }
  EXPECT_FALSE(all_still(1s));
}

// As where another looks for the store that the stopped one serves.
TEST_F(HangDetectorTest, ASuspendedRankIsAHangWhateverTheOthersDo) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kBackward);
  ranks[1].stop();
  for (int i = 0; i < 6; ++i) {
    step(0, Phase::kForward);
    seconds_pass(1);
  }
  EXPECT_FALSE(all_still(9s));
  const auto hang = all_still(5s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 1);
}

TEST_F(HangDetectorTest, NamesTheRankThatIsBehindInItsStart) {
  heartbeat(1).start_up = StartUp::kRendezvous;
  seconds_pass(10);
  EXPECT_FALSE(all_still(20s));
  const auto hang = all_still(5s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 0);
  EXPECT_THAT(hang->words, StartsWith("rank 0 hangs: it is behind the others, loading, before its first step"));
}

TEST_F(HangDetectorTest, NamesTheRankThatIsStoppedInItsStart) {
  for (const std::size_t rank : {0U, 1U}) heartbeat(rank).start_up = StartUp::kPreparing;
  ranks[1].stop();
  seconds_pass(10);
  const auto hang = all_still(5s);
  ASSERT_TRUE(hang);
  EXPECT_THAT(hang->words,
              StartsWith("rank 1 hangs: its process is suspended (SIGSTOP) making its training, before its first step"));
}

TEST_F(HangDetectorTest, AnotherStageOfItsStartIsAMove) {
  seconds_pass(4);
  heartbeat(0).start_up = StartUp::kRendezvous;
  seconds_pass(3);
  EXPECT_FALSE(all_still(5s));
  seconds_pass(3);
  EXPECT_TRUE(all_still(5s));
}

// A library that comes slowly from a shared file system costs no CPU time to speak of.
TEST_F(HangDetectorTest, ARankThatTouchesNewMemoryInItsStartMoves) {
  const Sleeper loading([] {
    static_cast<char*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))[0] = 1;
    ::usleep(10'000);
  });
  pids[1] = loading.pid();
  const auto loads = [&] {
    const auto before = process_state(loading.pid()).page_faults;
    while (process_state(loading.pid()).page_faults == before) ::usleep(1000);
  };
  for (int i = 0; i < 8; ++i) {
    loads();
    seconds_pass(1);
  }
  EXPECT_FALSE(all_still(5s));
}

TEST_F(HangDetectorTest, ARankThatReadsInItsStartMoves) {
  const Sleeper reading(read_on);
  pids[1] = reading.pid();
  seconds_pass_in_which_it_reads(8, reading);
  EXPECT_FALSE(all_still(5s));
}

TEST_F(HangDetectorTest, ALauncherThatStandsStillWithoutAnyRankIsAHang) {
  const Sleeper launcher;
  const auto pass = [&](int seconds) { seconds_pass(seconds, launcher.pid()); };
  pass(10);
  pids = {-1, -1};
  pass(2);
  EXPECT_FALSE(all_still(5s)) << "while ranks ran it had nothing to do";
  pass(10);
  const auto hang = all_still(5s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, -1);
  EXPECT_THAT(hang->words, HasSubstr("no rank is running; the launcher is, but it made no progress"));
}

TEST_F(HangDetectorTest, ARankThatUsesItsCoreMoves) {
  const Sleeper busy(burn);
  pids[1] = busy.pid();
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kForward);
  seconds_pass_in_which_it_burns(5, busy);
  EXPECT_FALSE(all_still(2s));
}

// Its CPU time is life, but not for ever.
TEST_F(HangDetectorTest, BeforeItsFirstSuperBlockARankMayNotStayInOnePhaseForEver) {
  const Sleeper spinning(burn);
  pids[1] = spinning.pid();
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kForward);
  step(0, Phase::kBackward);
  seconds_pass_in_which_it_burns(6, spinning);
  EXPECT_FALSE(watch.all_stuck(running(), 9s));
  const auto hang = watch.all_stuck(running(), 5s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 1);
  EXPECT_EQ(hang->words, "rank 1 comes no further: it is in phase forward after 0 super-blocks, for 5 s now");
  step(1, Phase::kBackward);
  seconds_pass(1);
  EXPECT_FALSE(watch.all_stuck(running(), 5s)) << "one that goes on is enough";
}

TEST_F(HangDetectorTest, OnceItMeasuresAPhaseMayTakeTenTimesTheLongestBefore) {
  for (const std::size_t rank : {0U, 1U}) {
    step(rank, Phase::kForward);
    heartbeat(rank).super_blocks = 1;
  }
  seconds_pass(3);
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kBackward);
  seconds_pass(15);
  EXPECT_FALSE(watch.all_stuck(running(), 5s));
  seconds_pass(8);
  const auto hang = watch.all_stuck(running(), 5s);
  ASSERT_TRUE(hang);
  EXPECT_THAT(hang->words, HasSubstr("comes no further: it is in phase backward after 1 super-blocks"));
  EXPECT_FALSE(watch.all_stuck(running(), 30s));
}

TEST_F(HangDetectorTest, OneThatGaveUpWaitingPointsAtTheOneThatComputesAndComesNoFurther) {
  const Sleeper spinning(burn);
  pids[1] = spinning.pid();
  for (const std::size_t rank : {0U, 1U}) {
    step(rank, Phase::kForward);
    heartbeat(rank).super_blocks = 3;
  }
  step(0, Phase::kBackward);
  seconds_pass_in_which_it_burns(6, spinning);
  const auto hang = watch.given_up_by(0, {false, true}, 5s, 100ms);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 1);
  EXPECT_THAT(hang->words, StartsWith("rank 1 comes no further: it is in phase forward after 3 super-blocks"));
  EXPECT_FALSE(watch.given_up_by(0, {false, true}, 9s, 100ms)) << "it broke before its limit: who computes is not at fault";
}

TEST_F(HangDetectorTest, ARankTellsHowLongItWaits) {
  EXPECT_EQ(watch.limit_of(1), 0s);
  heartbeat(1).waits_ms = 600'000;
  seconds_pass(1);
  EXPECT_EQ(watch.limit_of(1), 600s);
  EXPECT_EQ(watch.limit_of(0), 0s);
}

// A library that comes slowly from a shared file system.
TEST_F(HangDetectorTest, WhoReadsWhileItLoadsComesFurther) {
  const Sleeper reading(read_on);
  pids[1] = reading.pid();
  seconds_pass_in_which_it_reads(8, reading);
  EXPECT_FALSE(watch.all_stuck(running(), 5s));
  for (const std::size_t rank : {0U, 1U}) heartbeat(rank).start_up = StartUp::kPreparing;
  seconds_pass_in_which_it_reads(8, reading);
  EXPECT_TRUE(watch.all_stuck(running(), 5s));
}

TEST_F(HangDetectorTest, OneThatGaveUpWaitingPointsAtTheOneThatDidNot) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kBackward);
  ranks[1].stop();
  seconds_pass(10);
  step(0, Phase::kOther);  // on its way out
  seconds_pass(1);
  pids[0] = -1;
  const auto hang = watch.given_up_by(0, running(), 10s, 1s);
  ASSERT_TRUE(hang);
  EXPECT_EQ(hang->rank, 1);
  EXPECT_FALSE(watch.given_up_by(0, running(), 100s, 1s));
}

TEST_F(HangDetectorTest, ARankThatBrokeAtWorkPointsAtNobody) {
  for (int i = 0; i < 10; ++i) {
    step(0, Phase::kForward);
    seconds_pass(1);
  }
  pids[0] = -1;
  EXPECT_FALSE(watch.given_up_by(0, running(), 10s, 1s));
}

// A batch system suspends driver and ranks together: when they go on, nobody has hung.
TEST_F(HangDetectorTest, TimeThatTheDriverSleptThroughDoesNotCount) {
  for (const std::size_t rank : {0U, 1U}) step(rank, Phase::kData);
  seconds_pass(2);
  now += 1h;
  seconds_pass(1);
  EXPECT_FALSE(all_still(60s));
}

TEST_F(HangDetectorTest, KnowsAProcessOnceTheRankHasSaidIt) {
  EXPECT_EQ(memory.pid_of(1), -1);
  heartbeat(1).pid = ranks[1].pid();
  EXPECT_EQ(memory.pid_of(0), -1);
  EXPECT_EQ(memory.pid_of(1), ranks[1].pid());
}

TEST(ProcessState, KnowsWhoIsStoppedAndWhoIsGone) {
  const Sleeper sleeper;
  EXPECT_FALSE(process_state(sleeper.pid()).stopped);
  EXPECT_TRUE(process_state(sleeper.pid()).running);
  sleeper.stop();
  EXPECT_TRUE(process_state(sleeper.pid()).stopped);
  EXPECT_EQ(process_state(-1).cpu_seconds, 0);
  EXPECT_FALSE(process_state(-1).running);
}

}  // namespace
}  // namespace ddpbench
