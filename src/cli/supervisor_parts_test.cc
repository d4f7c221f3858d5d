// The parts of supervision that need no tested process.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "channel/finding_record.h"
#include "cli/channel_file.h"
#include "cli/findings.h"
#include "cli/launch.h"
#include "cli/progress_line.h"
#include "cli/watchdog.h"

namespace heddle {
namespace {

// A search under way in which the program runs, and a watchdog with ten seconds of patience.
struct Watched {
  std::unique_ptr<ChannelHeader> header = std::make_unique<ChannelHeader>();
  Watchdog dog{10};
  Activity activity;

  Watched() {
    header->state = RunState::Running;
    header->in_program = 1;
  }
  WatchdogAdvice look(double now) {
    return dog.look(*header, now, [&] { return activity; });
  }
  WatchdogAdvice runs(double now, double processor_seconds) {
    activity = {Activity::State::Runs, processor_seconds};
    return look(now);
  }
};

TEST(Watchdog, AbandonsThenKills) {
  Watched watched;
  EXPECT_EQ(watched.runs(100, 0), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.runs(109, 9), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.runs(111, 11), WatchdogAdvice::AbandonBusy);
  EXPECT_EQ(watched.runs(112, 12), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.runs(122, 22), WatchdogAdvice::Kill);
  watched.header->progress.heartbeat = 1;
  EXPECT_EQ(watched.runs(123, 23), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.runs(134, 34), WatchdogAdvice::AbandonBusy);
}

TEST(Watchdog, CountsProcessorTimeOfThoseWhoRun) {
  Watched watched;
  for (double now = 0; now < 80; now += 0.05)
    EXPECT_EQ(watched.runs(now, now / 8.1), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.runs(90, 10.5), WatchdogAdvice::AbandonBusy);
}

TEST(Watchdog, CountsTheClockForThoseWhoSleep) {
  Watched watched;
  watched.activity = {Activity::State::Sleeps, 3};
  EXPECT_EQ(watched.look(100), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.look(109), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.look(111), WatchdogAdvice::AbandonAsleep);
  EXPECT_EQ(watched.look(122), WatchdogAdvice::Kill);
}

TEST(Watchdog, LeavesTheStoppedAlone) {
  Watched watched;
  watched.activity = {Activity::State::Stopped, 3};
  for (double now = 1; now < 100; now += 5) EXPECT_EQ(watched.look(now), WatchdogAdvice::Fine);
}

TEST(Watchdog, IsPatientWithTheExplorer) {
  Watched watched;
  watched.header->in_program = 0;
  for (double now = 1; now < 100; now += 5) EXPECT_EQ(watched.runs(now, now), WatchdogAdvice::Fine);
}

TEST(Watchdog, KillsConstructorsWithoutEnd) {
  Watched watched;
  watched.header->in_program = 0;
  watched.header->state = RunState::Starting;
  EXPECT_EQ(watched.runs(1, 0), WatchdogAdvice::Fine);
  EXPECT_EQ(watched.runs(12, 11), WatchdogAdvice::Kill);
}

TEST(Environment, AddsToWhatIsThere) {
  const char* inherited[] = {
      "A=1",  "LD_PRELOAD=x.so", "GLIBC_TUNABLES=a=b", "HEDDLE_CHANNEL=3", "LD_PRELOADED=no",
      nullptr};
  std::vector<std::string> environment = target_environment(inherited, "/l/libheddle.so", 901);
  EXPECT_EQ(environment,
            (std::vector<std::string>{"A=1", "LD_PRELOADED=no", "LD_PRELOAD=/l/libheddle.so:x.so",
                                      "GLIBC_TUNABLES=a=b:glibc.pthread.rseq=0", "LD_BIND_NOW=1",
                                      "HEDDLE_CHANNEL=901"}));
}

TEST(ChannelFile, HoldsTheReplayAndTheAnswer) {
  Result<ChannelFile> channel = ChannelFile::create(RunOptions{}, "question");
  ASSERT_TRUE(channel) << channel.error().message;
  EXPECT_GE(channel->fd(), 3);
  ChannelHeader& header = channel->header();
  EXPECT_EQ(header.magic, kChannelMagic);
  EXPECT_EQ(channel->records(), "");
  char* mailbox = reinterpret_cast<char*>(&header) + kHeaderBytes;
  EXPECT_EQ(std::string_view(mailbox, header.replay_bytes), "question");
  std::memcpy(mailbox + header.replay_bytes, "answer", 6);
  header.mailbox_used = header.replay_bytes + 6;
  EXPECT_EQ(channel->records(), "answer");
  header.mailbox_used = ~0ull;  // a wild write of the tested program
  EXPECT_EQ(channel->records().size(), kMailboxBytes - 8);
}

std::string record(uint32_t number, RecordStage stage, const char* message, size_t steps) {
  Trace trace;
  trace.failure.kind = FindingKind::Assertion;
  trace.failure.message = message;
  trace.execution = 1;
  trace.steps.resize(steps);
  const std::string text = to_text(trace);
  const FindingRecord head{kFindingRecordMagic,    number, stage,
                           FindingKind::Assertion, 1,      text.size()};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + text;
}

// Findings of one execution, of one kind, even with the same words, are different if their numbers
// are.
TEST(Findings, OneTracePerNumber) {
  std::string mailbox =
      record(1, RecordStage::Sketch, "a", 0) + record(2, RecordStage::Sketch, "b", 0) +
      record(4, RecordStage::Question, "d", 3) + record(3, RecordStage::Sketch, "a", 0) +
      record(5, RecordStage::Sketch, "e", 0) + record(2, RecordStage::Traced, "b, sometimes", 0) +
      record(1, RecordStage::Traced, "a", 5) + record(5, RecordStage::Withdrawn, "", 0);
  std::vector<std::string> notes;
  std::vector<Trace> traces = collect_findings(mailbox, notes);
  ASSERT_EQ(traces.size(), 3u);
  EXPECT_EQ(traces[0].steps.size(), 5u);
  EXPECT_EQ(traces[1].failure.message, "b, sometimes");
  EXPECT_EQ(traces[2].failure.message, "a");
  EXPECT_TRUE(notes.empty());
}

TEST(Findings, DamageIsNoted) {
  std::vector<std::string> notes;
  std::string one = record(1, RecordStage::Sketch, "a", 0);
  EXPECT_EQ(collect_findings(one + one.substr(0, one.size() / 2), notes).size(), 1u);
  EXPECT_EQ(notes.size(), 1u);
  one[sizeof(FindingRecord)] = 'x';
  EXPECT_TRUE(collect_findings(one, notes).empty());
  EXPECT_EQ(notes.size(), 2u);
}

TEST(Findings, AQuestionIsTheLastWord) {
  const std::string question = record(2, RecordStage::Question, "b", 0);
  EXPECT_TRUE(last_question(record(1, RecordStage::Sketch, "a", 0) + question));
  EXPECT_FALSE(last_question(question + record(1, RecordStage::Sketch, "a", 0)));
  EXPECT_FALSE(last_question(""));
}

TEST(Settings, SurviveTheRoundTrip) {
  RunOptions options, back;
  options.visible = Visible::All;
  options.isolation = Isolation::Fork;
  options.max_steps = 77;
  ASSERT_TRUE(apply_settings(settings_of(options), back));
  EXPECT_EQ(settings_of(back), settings_of(options));
  EXPECT_FALSE(apply_settings({"colour=blue"}, back));
}

TEST(ProgressLine, ReadsWell) {
  Progress progress{};
  progress.executions = 12345;
  progress.bound = 2;
  progress.longest = 40;
  EXPECT_EQ(progress_text(progress, 310221, 75),
            "12,345 executions, 310,221/s, bound 2, depth 40, 0 findings, 1:15");
  progress.estimate = 73'789;
  EXPECT_EQ(progress_text(progress, 1000, 75),
            "12,345 executions, 1,000/s, about 74,000 in all (1 min left), bound 2, depth 40, 0 "
            "findings, 1:15");
  progress.bound = -1;
  progress.estimate_error = 0.113;
  EXPECT_EQ(progress_text(progress, 1000, 75),
            "12,345 executions, 1,000/s, about 74,000 in all (±12 %, 1 min left), depth 40, 0 "
            "findings, 1:15");
  EXPECT_EQ(progress_text(progress, 0, 75),
            "12,345 executions, 0/s, about 74,000 in all (±12 %), depth 40, 0 findings, 1:15");
}

}  // namespace
}  // namespace heddle
