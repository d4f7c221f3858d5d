// The parts of supervision that need no tested process.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "cli/channel_file.h"
#include "cli/findings.h"
#include "cli/launch.h"
#include "cli/progress_line.h"
#include "cli/watchdog.h"

namespace heddle {
namespace {

TEST(Watchdog, AbandonsThenKills) {
  auto header = std::make_unique<ChannelHeader>();
  Watchdog dog(10);
  header->in_program = 1;
  EXPECT_EQ(dog.look(*header, 100), WatchdogAdvice::Fine);
  EXPECT_EQ(dog.look(*header, 109), WatchdogAdvice::Fine);
  EXPECT_EQ(dog.look(*header, 111), WatchdogAdvice::Abandon);
  EXPECT_EQ(dog.look(*header, 112), WatchdogAdvice::Fine);
  EXPECT_EQ(dog.look(*header, 122), WatchdogAdvice::Kill);
  header->progress.heartbeat = 1;
  EXPECT_EQ(dog.look(*header, 123), WatchdogAdvice::Fine);
  EXPECT_EQ(dog.look(*header, 134), WatchdogAdvice::Abandon);
}

TEST(Watchdog, IsPatientWithTheExplorer) {
  auto header = std::make_unique<ChannelHeader>();
  Watchdog dog(10);
  for (double now = 1; now < 100; now += 5) EXPECT_EQ(dog.look(*header, now), WatchdogAdvice::Fine);
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
  EXPECT_EQ(channel->traces(), "");
  char* mailbox = reinterpret_cast<char*>(&header) + kHeaderBytes;
  EXPECT_EQ(std::string_view(mailbox, header.replay_bytes), "question");
  std::memcpy(mailbox + header.replay_bytes, "answer", 6);
  header.mailbox_used = header.replay_bytes + 6;
  EXPECT_EQ(channel->traces(), "answer");
  header.mailbox_used = ~0ull;  // a wild write of the tested program
  EXPECT_EQ(channel->traces().size(), kMailboxBytes - 8);
}

Trace found(const char* message, uint64_t execution, size_t steps, uint32_t preemptions) {
  Trace trace;
  trace.failure.message = message;
  trace.execution = execution;
  trace.steps.resize(steps);
  trace.preemptions = preemptions;
  return trace;
}

TEST(Findings, OneTracePerBug) {
  std::string mailbox = to_text(found("a", 1, 0, 0)) + to_text(found("a", 1, 5, 0)) +
                        to_text(found("b", 2, 3, 2)) + to_text(found("b", 9, 3, 1)) +
                        to_text(found("c", 3, 0, 0)) + to_text(found("c, sometimes", 3, 0, 0)) +
                        "heddle-trace 1\ncut off";
  std::vector<std::string> notes;
  std::vector<Trace> traces = collect_traces(mailbox, notes);
  ASSERT_EQ(traces.size(), 3u);
  EXPECT_EQ(traces[0].steps.size(), 5u);
  EXPECT_EQ(traces[1].execution, 9u);
  EXPECT_EQ(traces[2].failure.message, "c, sometimes");
  EXPECT_EQ(notes.size(), 1u);
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
